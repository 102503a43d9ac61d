// @ts-check
// The bar of a course on each page, for who has chosen an animal or a number. What is done is kept in this browser, and
// told to the room anew whenever it forgets.
(() => {
  const found = document.getElementById("sdc-course");
  if (!found) return;
  const bar = found;
  // The part of a lesson is hidden while the lesson starts, so that the browser does not find it by itself.
  const part = decodeURIComponent(location.hash.slice(1));
  // nbconvert writes a sign such as − into an id as %E2%88%92.
  /** @param {string} id */
  const named = (id) => {
    try {
      return decodeURIComponent(id) === part;
    } catch {
      return id === part;
    }
  };
  /** Call a function now and then until somebody does something, or until it has returned true some times. @param {() => boolean} act */
  const follow = (act) => {
    const touched = new AbortController();
    for (const one of ["pointerdown", "keydown", "wheel", "touchmove"])
      addEventListener(one, () => touched.abort(), { once: true, passive: true });
    let ticks = 0;
    const looking = setInterval(() => {
      if (touched.signal.aborted || ticks > 60) return clearInterval(looking);
      if (act()) ticks++;
    }, 200);
  };
  /** Scroll to the part of a lesson in the address. */
  const showPart = () => {
    // What is drawn later moves or closes it again, so it is followed.
    follow(() => {
      const shown = /** @param {Element} one */ (one) => one instanceof HTMLElement && Boolean(one.offsetParent);
      const heading = [...document.querySelectorAll("main :is(h1, h2, h3, h4, h5, h6)")].find((one) => named(one.id));
      // Questions before it keep it closed until they are passed over.
      const open = [...document.querySelectorAll("main .sdc-exercise .sdc-link")].find(shown);
      if (heading && !shown(heading)) /** @type {HTMLElement | undefined} */ (open)?.click();
      if (!heading || !shown(heading)) return false;
      if (Math.abs(heading.getBoundingClientRect().top - bar.offsetHeight - 8) > 4) heading.scrollIntoView();
      return true;
    });
  };
  // The trainer opens the page of a step in the trainer view, and is no participant.
  if (new URLSearchParams(location.search).has("trainer-view")) {
    bar.remove();
    if (part) showPart();
    return;
  }
  const base = bar.dataset.base ?? "/";
  const name = `sdc:course:${bar.dataset.course}`;
  const room = bar.hasAttribute("data-room");
  const MOST_STATE = 8000;
  const MOST_TEXT = 300;
  const OWN = "Your own table is not part of the course. It is not sent to the trainer.";

  /** @typedef {{title: string, kind: string, minutes: number, text: string, hint: string, options: string[], goal: string[], meaning: string, page: string, href: string}} Step */
  /** @typedef {{token: string, name: string, step: number, answers: Record<string, string>, states: Record<string, string>, last: Record<string, string>, late: Record<string, string>, first: Record<string, string>, drafts: Record<string, string>, finished: boolean}} Kept late are the late answers, first the first ones, drafts are typed but not sent */

  /** @type {{title: string, language: string, steps: Step[], names: string[], server: string} | null} */
  let course = null;
  /** @type {WebSocket | null} */
  let socket = null;
  let wait = 500;
  let joined = false;
  /** The step that the trainer shows. */
  let at = 0;
  let words = "";
  /** @type {Record<string, {done: boolean, words: string}>} */
  const results = {};
  /** Which conditions of the goal of a task are met, by step. @type {Record<string, boolean[]>} */
  const goals = {};
  /** Answers that the trainer has shown, by step. @type {Record<string, {answer: string, why: string}>} */
  const solutions = {};

  const token = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  /** @returns {Kept} */
  const begun = () => ({
    token: token(),
    name: "",
    step: 0,
    answers: {},
    states: {},
    last: {},
    late: {},
    first: {},
    drafts: {},
    finished: false,
  });
  /** @param {any} told @returns {Kept | null} */
  const checked = (told) => {
    const fits =
      told &&
      /^[0-9a-f]{32}$/.test(told.token) &&
      typeof told.name === "string" &&
      Number.isInteger(told.step) &&
      told.step >= 0;
    if (!fits) return null;
    /** @param {any} one @returns {Record<string, string>} */
    const texts = (one) =>
      Object.fromEntries(
        Object.entries(one ?? {}).filter(([key, value]) => /^\d{1,2}$/.test(key) && typeof value === "string"),
      );
    return {
      token: told.token,
      name: told.name,
      step: told.step,
      answers: texts(told.answers),
      states: texts(told.states),
      last: texts(told.last),
      late: texts(told.late),
      first: texts(told.first),
      drafts: texts(told.drafts),
      finished: told.finished === true,
    };
  };
  /** @returns {Kept} */
  const read = () => {
    try {
      return checked(JSON.parse(localStorage.getItem(name) ?? "null")) ?? begun();
    } catch {
      return begun();
    }
  };
  let kept = read();
  const keep = () => {
    try {
      localStorage.setItem(name, JSON.stringify(kept));
    } catch {
      words = "This browser cannot save your progress. Keep this page open.";
    }
  };
  const asked = new URLSearchParams(location.search).get("step");
  if (asked && /^\d{1,2}$/.test(asked)) {
    kept.step = Number(asked);
    keep();
  }

  /** Whether the text of a task is shown on a phone; otherwise a task is its goal and its current values. */
  let unfolded = false;

  /**
   * @param {string} kind @param {Record<string, any>} [more] @param {(Node | string | null | undefined)[]} nodes
   * @returns {HTMLElement}
   */
  const el = (kind, more = {}, ...nodes) => {
    const made = document.createElement(kind);
    for (const [key, value] of Object.entries(more)) {
      if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else if (value === true) made.setAttribute(key, "");
      else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, String(value));
    }
    made.append(...nodes.filter((one) => one !== null && one !== undefined));
    return made;
  };
  /** @param {Record<string, any>} told */
  const say = (told) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(told));
  };
  /** The address of a step, with what was done there last. @param {number} number */
  const way = (number) => {
    const step = course?.steps[number];
    if (!step) return `${base}course`;
    const last = kept.last[number];
    if (!step.page || !last) return step.href;
    const url = new URL(step.href, location.href);
    url.searchParams.set("state", last);
    return url.href;
  };
  /** @param {number} number */
  const go = (number) => {
    kept.step = number;
    keep();
    location.assign(way(number));
  };

  /** The conditions of a goal, each with a tick if it is met. @param {Step} step @param {number} number */
  const conditions = (step, number) =>
    step.goal.map((words, index) => {
      const met = goals[number]?.[index] === true;
      return el("span", { class: met ? "condition met" : "condition" }, `${met ? "✓ " : ""}${words}`);
    });
  /** @param {Step} step */
  const question = (step) => {
    const number = kept.step;
    const done = results[number];
    const solution = solutions[number];
    // The feedback on a correct answer has the explanation already.
    const why = done?.done ? null : solution?.why;
    const told = el(
      "div",
      { role: "status" },
      el("p", { class: done?.done ? "right" : "" }, done?.words ?? ""),
      solution && el("p", { class: "solution" }, el("b", {}, `Answer: ${solution.answer}. `), why),
    );
    /** @param {string} answer */
    const send = (answer) => {
      delete kept.drafts[number];
      kept.answers[number] = answer;
      keep();
      say({ type: "answer", step: number, answer });
    };
    if (step.options.length) {
      const chosen = step.options.map((text, place) => {
        const value = String(place + 1);
        return el(
          "button",
          { type: "button", "aria-pressed": String(kept.answers[number] === value), onclick: () => send(value) },
          text,
        );
      });
      return el("div", { class: "ask", role: "group", "aria-label": "Your answer" }, ...chosen, told);
    }
    const input = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (
      step.kind === "text"
        ? el("textarea", {
            "aria-label": "Your text",
            "aria-describedby": "sdc-course-length",
            rows: 3,
          })
        : el("input", { "aria-label": "Your answer", autocomplete: "off", maxlength: 40, size: 12 })
    );
    input.value = kept.drafts[number] ?? kept.answers[number] ?? "";
    const count = step.kind === "text" ? el("span", { id: "sdc-course-length", class: "length" }) : null;
    // A text that is too long is not cut, so that no words are lost without a message.
    const excess = () => (step.kind === "text" ? input.value.length - MOST_TEXT : 0);
    const length = () => {
      if (!count) return;
      const more = excess();
      const remove = more > 0 ? `. Remove ${more} ${more === 1 ? "character" : "characters"} to send the text.` : "";
      count.textContent = `${input.value.length} of ${MOST_TEXT} characters${remove}`;
      count.classList.toggle("wrong", more > 0);
      input.setAttribute("aria-invalid", String(more > 0));
    };
    length();
    input.addEventListener("input", () => {
      kept.drafts[number] = input.value;
      keep();
      length();
    });
    const finish = () => {
      kept.finished = true;
      keep();
      say({ type: "finish" });
      draw();
    };
    const ends = step.kind === "text" && number + 1 === course?.steps.length && !done?.done && !kept.finished;
    /** @param {Event} event */
    const submit = (event) => {
      event.preventDefault();
      if (excess() > 0) input.focus();
      else send(input.value);
    };
    return el(
      "form",
      { class: "ask", onsubmit: submit },
      input,
      el("button", {}, step.kind === "text" ? "Send" : "Answer"),
      ends ? el("button", { type: "button", onclick: finish }, "Finish without a text") : null,
      count,
      told,
    );
  };

  const choose = () => {
    const names = course?.names ?? [];
    const animals = names.filter((one) => !/^\d/.test(one)).slice(0, 24);
    const numbers = names.filter((one) => /^\d/.test(one));
    /** @param {string} chosen */
    const join = (chosen) => {
      kept.name = chosen;
      hello();
    };
    const select = /** @type {HTMLSelectElement} */ (
      el(
        "select",
        { "aria-label": "A number" },
        el("option", { value: "" }, "a number"),
        ...numbers.map((one) => el("option", {}, one)),
      )
    );
    select.addEventListener("change", () => select.value && join(select.value));
    return el(
      "div",
      { class: "who" },
      el("h2", {}, "Choose an animal or a number"),
      el("p", { role: "alert" }, words),
      el("div", {}, ...animals.map((one) => el("button", { type: "button", onclick: () => join(one) }, one)), select),
    );
  };

  const along = () => {
    const save = () => {
      const address = URL.createObjectURL(new Blob([JSON.stringify(kept)], { type: "application/json" }));
      const link = /** @type {HTMLAnchorElement} */ (
        el("a", { href: address, download: `${course?.title ?? "course"}, ${kept.name}.json` })
      );
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
    };
    const file = /** @type {HTMLInputElement} */ (
      el("input", { type: "file", accept: ".json", "aria-label": "Load a progress file" })
    );
    file.addEventListener("change", async () => {
      const one = file.files?.[0];
      let told = null;
      try {
        told = one && one.size < 200_000 ? checked(JSON.parse(await one.text())) : null;
      } catch {
        /* no such file */
      }
      if (told) {
        kept = told;
        keep();
        hello();
      } else {
        words = "This file does not contain course progress. Choose a file that was saved on this page.";
        draw();
      }
    });
    return el(
      "details",
      { class: "along" },
      el("summary", {}, "My progress"),
      el(
        "p",
        {},
        "Your progress is saved in this browser. To continue in another browser, save it as a file and load the file there.",
      ),
      el("button", { type: "button", onclick: save }, "Save progress"),
      el("label", {}, " Load progress: ", file),
    );
  };

  /** The name by which a control is recognised after the bar is drawn again. @param {Element} control */
  const identity = (control) => `${control.tagName} ${control.getAttribute("aria-label") ?? control.textContent}`;
  // A control that is replaced between press and release of the pointer would not get the click.
  let pressed = false;
  bar.addEventListener("pointerdown", () => {
    pressed = true;
  });
  for (const end of ["pointerup", "pointercancel"])
    addEventListener(end, () => {
      if (!pressed) return;
      pressed = false;
      setTimeout(draw); // after the click, which follows at once
    });
  /** Draw the bar again, and keep the focus and the selection of its controls. */
  const draw = () => {
    if (pressed) return;
    const before = document.activeElement;
    if (!before || !bar.contains(before)) return fill();
    const field = /** @param {Element} one */ (one) =>
      one instanceof HTMLTextAreaElement || (one instanceof HTMLInputElement && one.type === "text");
    const selection = field(before)
      ? [/** @type {HTMLInputElement} */ (before).selectionStart, /** @type {HTMLInputElement} */ (before).selectionEnd]
      : null;
    const name = identity(before);
    fill();
    const after = [...bar.querySelectorAll("a, button, input, select, summary, textarea")].find(
      (control) => identity(control) === name,
    );
    if (!(after instanceof HTMLElement)) return;
    after.focus({ preventScroll: true });
    if (selection) /** @type {HTMLInputElement} */ (after).setSelectionRange(selection[0], selection[1]);
  };
  const fill = () => {
    if (!course) {
      bar.replaceChildren(el("p", { role: "status" }, words || "Connecting to the course session …"));
      return;
    }
    if (!joined) {
      bar.replaceChildren(
        room ? choose() : el("p", {}, el("a", { href: `${base}course` }, `Join the course: ${course.title}`)),
      );
      if (room) bar.append(along());
      return;
    }
    const number = Math.min(kept.step, course.steps.length - 1);
    const step = course.steps[number];
    const done = results[number];
    /** @param {number} to @param {string | (Node | string)[]} text @param {string} label @param {string | null} [look] */
    const move = (to, text, label, look = null) =>
      course && to >= 0 && to < course.steps.length
        ? el(
            "a",
            {
              class: look,
              href: way(to),
              "aria-label": `${label}: ${course.steps[to].title}`,
              onclick: () => {
                kept.step = to;
                keep();
              },
            },
            ...(typeof text === "string" ? [text] : text),
          )
        : null;
    const elsewhere =
      room && step.page
        ? el("a", { class: "begin", href: way(number) }, "Open step")
        : room && step.kind === "lesson"
          ? el("a", { class: "begin", href: step.href }, "Open lesson")
          : null;
    const onPage = new URL(step.href, location.href).pathname === location.pathname;
    const back =
      !room && !onPage
        ? el(
            "p",
            { class: "away" },
            "This page is not the page of the current step. ",
            el(
              "a",
              { class: "begin", href: way(number) },
              step.kind === "task" ? "Back to the task" : "Back to the step",
            ),
          )
        : null;
    // The page of a step has its own primary button, which leads away from the step, so it looks like other buttons.
    document.documentElement.toggleAttribute("data-sdc-course", !room);
    const discard = () => {
      delete kept.last[number];
      keep();
    };
    const again =
      step.page && kept.last[number] && !room && onPage
        ? el(
            "details",
            {},
            el("summary", {}, "Restart this step"),
            el(
              "p",
              {},
              "A restart deletes your changes in this step. ",
              el("a", { href: step.href, onclick: discard }, "Delete my changes"),
            ),
          )
        : null;
    const mark =
      step.kind === "task"
        ? el(
            "span",
            { class: done?.done ? "met" : "open", role: "status" },
            done?.done ? "✓ " : null,
            el("span", { class: "long" }, "goal "),
            done?.done ? "met" : "not met yet",
          )
        : null;
    const problem = el("p", { role: "alert" }, words);
    // The handout contains the answers of the participant whom this cookie names; other addresses do not receive it.
    // biome-ignore lint/suspicious/noDocumentCookie: the other interface for cookies is missing without https
    document.cookie = `sdcwidgets-participant=${kept.token}; path=${base}course/handout.html; SameSite=Strict`;
    const folds = step.kind === "task" && !room;
    bar.toggleAttribute("data-task", folds);
    bar.toggleAttribute("data-unfolded", unfolded);
    const fold = () => {
      unfolded = !unfolded;
      draw();
    };
    // On a phone, a folded task has one more line after its explanation was shown.
    const news =
      folds && !unfolded && solutions[number]?.why
        ? el("p", { class: "news", role: "status" }, "The explanation is shown under “Task”.")
        : null;
    const toTable =
      folds && onPage
        ? el(
            "button",
            {
              class: "to-table",
              type: "button",
              onclick: () => {
                fold();
                bar.querySelector("button")?.focus({ preventScroll: true });
                showTable();
              },
            },
            "Go to the table",
          )
        : null;
    const now =
      step.kind === "task" && done?.words
        ? el("b", { class: "now" }, ` Current values: ${done.words.replace(/\.$/, "")}. `)
        : null;
    const parts = [
      el(
        "div",
        { class: "row" },
        move(number - 1, "‹", "Previous step"),
        el("b", {}, `${number + 1} of ${course.steps.length}`),
        el("span", { class: "title", lang: course.language }, step.title),
        folds
          ? el("button", { class: "fold", type: "button", "aria-expanded": `${unfolded}`, onclick: fold }, "Task")
          : null,
        mark,
        el("span", { class: "me" }, kept.name),
        at > number
          ? move(
              at,
              [el("span", { class: "long" }, "The class is at step "), `${at + 1}`],
              `The class is at step ${at + 1}`,
              "class",
            )
          : null,
        move(number + 1, "Next step ›", "Next step"),
      ),
      back,
      news,
      el("p", { class: "text", lang: course.language }, step.text, elsewhere ? " " : null, elsewhere),
      step.kind === "task"
        ? el("p", { class: "goal" }, el("span", { class: "aim" }, "Goal: ", ...conditions(step, number)), now)
        : null,
      step.kind === "task" && solutions[number]?.why
        ? el("p", { class: "solution", lang: course.language }, solutions[number].why)
        : null,
      step.kind === "question" || step.kind === "text" ? question(step) : null,
      number === course.steps.length - 1 && (step.kind !== "text" || done?.done || kept.finished)
        ? el(
            "p",
            { class: "end" },
            el("b", {}, "You are done. "),
            el("a", { href: `${base}course/handout.html`, target: "_blank" }, "Open the handout with your answers"),
          )
        : null,
      step.meaning ? el("details", {}, el("summary", {}, "Definitions"), el("p", {}, `${step.meaning}.`)) : null,
      step.hint ? el("details", {}, el("summary", {}, "Hint"), el("p", { lang: course.language }, step.hint)) : null,
      again,
      toTable,
      words ? problem : null,
      room ? along() : null,
    ];
    const opened = new Set([...bar.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent));
    bar.replaceChildren(...parts.filter((one) => one !== null));
    for (const details of bar.querySelectorAll("details"))
      details.open = opened.has(details.querySelector("summary")?.textContent ?? "");
  };

  const hello = () =>
    say({
      type: "hello",
      token: kept.token,
      name: kept.name,
      step: kept.step,
      answers: kept.answers,
      late: kept.late,
      first: kept.first,
      states: kept.states,
      finished: kept.finished,
    });

  const heard = {
    /** @param {any} told */
    course: (told) => {
      // A lesson whose server began anew can check nothing any more.
      if (course && course.server !== told.server && document.body.dataset.sdcwidgets === "lesson") location.reload();
      bar.classList.remove("lost");
      course = told;
      words = "";
      if (kept.name) hello();
    },
    /** @param {any} told */
    welcome: (told) => {
      joined = true;
      at = told.at;
      words = "";
      kept.name = told.name;
      for (const [number, [right, words]] of Object.entries(told.feedback)) results[number] ??= { done: right, words };
      for (const solution of told.solutions) solutions[solution.step] = solution;
      // What a file or this browser says was reached is checked again; until then nothing is.
      for (const number of Object.keys(kept.states)) results[number] ??= { done: false, words: "being checked" };
      keep();
    },
    /** @param {any} told */
    class: (told) => {
      at = told.step;
    },
    /** @param {any} told */
    sorry: (told) => {
      if (course) course.names = told.names;
      words = told.words;
      joined = false;
      kept.name = "";
    },
    /** @param {any} told */
    answered: (told) => {
      results[told.step] = { done: told.right, words: told.words };
      if (told.late) kept.late[told.step] = kept.answers[told.step] ?? "";
      if (told.first) kept.first[told.step] = told.first;
      keep();
    },
    /** @param {any} told */
    solution: (told) => {
      solutions[told.step] = told;
    },
    /** @param {any} told */
    checked: (told) => {
      goals[told.step] = told.goals ?? [];
      if (told.why) solutions[told.step] = { answer: "", why: told.why };
      results[told.step] = { done: told.met || results[told.step]?.done === true, words: told.words };
      if (told.met && told.state.length <= MOST_STATE) {
        kept.states[told.step] = told.state;
        keep();
      }
    },
    /** @param {any} told */
    go: (told) => {
      const there = course && new URL(course.steps[told.step].href, location.href).pathname === location.pathname;
      if (joined && !(there && told.step === kept.step)) go(told.step);
    },
  };

  // Within a course, the name of the product leads back to the course.
  document.addEventListener("click", ({ target }) => {
    const brand = target instanceof Element && target.closest("a.sdc-brand, a.sdc-home");
    if (brand instanceof HTMLAnchorElement && kept.name) brand.href = `${base}course`;
  });

  const connect = () => {
    socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${base}course/socket`);
    socket.addEventListener("message", (event) => {
      const told = JSON.parse(event.data);
      wait = 500;
      heard[/** @type {keyof typeof heard} */ (told.type)]?.(told);
      draw();
    });
    socket.addEventListener("close", () => {
      bar.classList.add("lost");
      words =
        "No connection to the course server. Your work is saved in this browser. If this message stays, open the address of the course again.";
      draw();
      setTimeout(connect, wait * (0.5 + Math.random()));
      wait = Math.min(wait * 2, 8000);
    });
  };

  document.addEventListener("sdc:state", (event) => {
    const { here, state, brought } = /** @type {CustomEvent} */ (event).detail;
    const step = course?.steps[kept.step];
    if (!joined || !step?.page || here !== `${step.page}.ipynb` || typeof state !== "string") return;
    if (Boolean(brought) !== (words === OWN)) {
      words = brought ? OWN : "";
      draw();
    }
    if (brought) return;
    if (state.length <= MOST_STATE) {
      kept.last[kept.step] = state;
      keep();
    }
    if (step.kind === "task") say({ type: "state", step: kept.step, state });
  });

  const look = document.createElement("style");
  look.textContent = `
    #sdc-course { box-sizing: border-box; padding: 6px 24px; font: 15px/1.4 system-ui, sans-serif; color: light-dark(#1b1f24, #e6e9ec);
      background: light-dark(#e8f1fb, #1d3550); border-bottom: 1px solid light-dark(#d9dee3, #3a424b); }
    #sdc-course :is(.fold, .to-table, .news) { display: none; }
    #sdc-course .fold::before { content: "▸ "; } #sdc-course .fold[aria-expanded=true]::before { content: "▾ "; }
    @media (max-width: 640px) { #sdc-course[data-task] { position: sticky; top: 0; z-index: 9; padding: 2px 10px; font-size: 14px; max-height: 80vh; overflow-y: auto; }
      #sdc-course[data-task] .row { gap: 2px 6px; align-items: center; } #sdc-course[data-task]:not([data-unfolded]) .row { flex-wrap: nowrap; }
      #sdc-course[data-task] .row > :not(.met, .open) { flex: none; } #sdc-course[data-task] .long { display: none; } #sdc-course[data-task] .class::before { content: "→ "; } #sdc-course[data-task] .row > a { font-size: 15px; padding: 4px; }
      #sdc-course[data-task] .row :is(.met, .open) { flex: 1; line-height: 1.15; white-space: nowrap; }
      #sdc-course[data-task] .fold { display: inline; padding: 2px 8px; } #sdc-course[data-task] .news { display: block; } #sdc-course[data-task] .to-table { display: block; margin: 6px 0; } #sdc-course[data-task] .row :is(.title, .me) { display: none; }
      #sdc-course[data-task][data-unfolded] .row .title { display: inline; order: 1; flex: 1 0 100%; }
      #sdc-course[data-task]:not([data-unfolded]) > :not(.row, .goal, .away, .news, [role=alert]) { display: none; }
      #sdc-course[data-task]:not([data-unfolded]) .goal { margin: 0 4px 3px; font-size: 13px; line-height: 1.3; }
      #sdc-course[data-task]:not([data-unfolded]) .aim { display: block; }
      #sdc-course[data-task]:not([data-unfolded]) .now { font-weight: 400; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
      html:has(#sdc-course[data-task]) { scroll-padding-top: 96px; } }
    #sdc-course:is(.lost, [data-lesson]) { position: sticky; top: 0; z-index: 9; }
    html:has(#sdc-course[data-lesson]) { scroll-padding-top: var(--sdc-course-height, 0px); }
    @media (max-width: 640px) { #sdc-course[data-lesson] { padding: 2px 10px; font-size: 14px; }
      #sdc-course[data-lesson] .row { gap: 4px 8px; } #sdc-course[data-lesson] .row > a { font-size: 16px; padding: 4px 6px; }
      #sdc-course[data-lesson] .me { display: none; } #sdc-course[data-lesson] .title { display: none; }
      #sdc-course[data-lesson] .row b { flex: 1; } }
    @media (max-height: 400px) { #sdc-course[data-lesson] .text { display: none; } }
    #sdc-course .row { display: flex; gap: 12px; align-items: baseline; flex-wrap: wrap; }
    #sdc-course .row > :is(a, .none) { font-size: 20px; line-height: 1; padding: 4px 12px; text-decoration: none; }
    #sdc-course .title { font-weight: 650; flex: 1 1 12em; } #sdc-course .row > a.class { font-size: inherit; } #sdc-course .me { opacity: .8; }
    #sdc-course p { margin: 3px 0; } #sdc-course p a { text-decoration: underline; } #sdc-course a, #sdc-course summary { color: light-dark(#0b5cad, #6cb2f5); cursor: pointer; }
    #sdc-course .met, #sdc-course .right { color: light-dark(#00674b, #34c79b); font-weight: 650; }
    #sdc-course :is(button, input, select, textarea) { font: inherit; padding: 4px 12px; margin: 2px 6px 2px 0; border-radius: 6px; color: inherit;
      border: 1px solid light-dark(#87919b, #7b8792); background: light-dark(#fff, #1d2228); cursor: pointer; max-width: 100%; }
    #sdc-course [aria-pressed="true"] { border: 2px solid light-dark(#0b5cad, #6cb2f5); } #sdc-course details { display: inline-block; margin-right: 18px; }
    #sdc-course .condition:not(:last-of-type)::after { content: " · "; font-weight: 400; }
    #sdc-course textarea { display: block; width: 100%; box-sizing: border-box; cursor: text; }
    #sdc-course .length { display: block; } #sdc-course .length.wrong { color: light-dark(#a3261f, #ff9a8f); font-weight: 650; } #sdc-course .begin { font-weight: 650; }
    html[data-sdc-course] .sdc-lead .sdc-lead-ahead.sdc-lead-ahead.sdc-primary { font-weight: 400; background: none; color: light-dark(#0b5cad, #6cb2f5); border: 1px solid currentcolor; } @media print { #sdc-course { display: none; } }`;
  document.head.append(look);
  if (document.body.dataset.sdcwidgets === "lesson") {
    // The bar stays in view, and headings and focused controls stop below it.
    bar.dataset.lesson = "";
    new ResizeObserver(() => {
      document.documentElement.style.setProperty("--sdc-course-height", `${bar.offsetHeight + 8}px`);
    }).observe(bar);
  }
  const phone = matchMedia("(max-width: 640px)");
  // The table of a task is in sight, below the line of the task.
  const showTable = () =>
    follow(() => {
      if (!bar.hasAttribute("data-task")) return false;
      const stage = document.querySelector(".sdc-page .sdc-stage");
      const table = stage?.querySelector(".sdc-grid") ?? stage?.querySelector("table") ?? stage;
      if (!table?.checkVisibility()) return false;
      if (Math.abs(table.getBoundingClientRect().top - bar.offsetHeight - 8) > 4) {
        scrollBy({ top: table.getBoundingClientRect().top - bar.offsetHeight - 8, behavior: "instant" });
      }
      return true;
    });
  if (!room && phone.matches && !part) showTable();
  if (part) showPart();
  draw();
  connect();
})();
