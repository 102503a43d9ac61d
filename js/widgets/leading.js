// @ts-check
// The lead of a page: the question, the answer, why, the button that does the next thing, and a line of steps.
import { answerParts } from "./answer_parts.js";
import { el, fresh, together } from "./dom.js";
import { lead, toNotebooks } from "./lead.js";
import { pin } from "./pinned.js";

const SAID = { done: "done", now: "current step", stop: "blocked", todo: "not started" };

/**
 * @typedef {object} Traits
 * @property {string} question
 * @property {string} answer
 * @property {string} why
 * @property {string} news
 * @property {string} tone
 * @property {string} ahead
 * @property {string} notebook the page that the primary button opens, "" for none
 * @property {string} second what a second button says
 * @property {string} tick
 * @property {boolean} ticked
 * @property {string[]} reasons
 * @property {number} table number of the table on the page
 * @property {[name: string, state: keyof typeof SAID][]} steps
 */
/** @param {import("./dom.js").Context<Traits>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-lead", "sdc-at-answer");
  const question = el("h1", { tabindex: "-1", "data-place": "answer" });
  const answer = el("p", { class: "sdc-lead-answer sdc-big" });
  const why = el("p", { class: "sdc-lead-why" });
  const ahead = el("button", {
    type: "button",
    class: "sdc-primary sdc-lead-ahead",
    onclick: () => model.send({ type: "next", words: model.get("ahead") }),
  });
  const list = fresh("reasons");
  const box = el("input", { type: "checkbox" });
  const name = el("span");
  const reason = el("input", {
    type: "text",
    list,
    "aria-label": "Reason",
    "data-place": "tick",
    placeholder: "Enter a reason",
  });
  const offered = el(
    "datalist",
    { id: list },
    model.get("reasons").map((one) => el("option", { value: one })),
  );
  let table = model.get("table");
  const send = () => model.send({ type: "accept", accepted: box.checked, reason: reason.value, table });
  box.addEventListener("change", () => {
    if (box.checked && !reason.value.trim()) {
      box.checked = false;
      reason.focus();
      return;
    }
    send();
  });
  const accept = () => {
    box.checked = true;
    send();
  };
  reason.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter" && reason.value.trim()) accept();
  });
  const tick = el("div", { class: "sdc-lead-tick sdc-at-tick" }, el("label", {}, box, name), reason, offered);
  const live = el("div", { "aria-live": "polite" }, answer);
  // Where the answer stays as it was, what is new is read aloud.
  const news = el("p", { class: "sdc-hidden", "aria-live": "polite" });
  const text = el("div", {}, question, live, why, news, tick);
  const steps = el("ol", { class: "sdc-lead-steps", "aria-label": "Steps" });
  const top = el("div", { class: "sdc-lead-top" }, text, ahead);
  const onward = el("a", { class: "sdc-primary sdc-lead-ahead" });
  const second = el("button", { type: "button", onclick: () => model.send({ type: "second" }) });
  const ways = el("div", { class: "sdc-lead-ways" }, onward, second);
  root.append(top, steps);
  const { line, end } = pin(answer);
  const draw = () => {
    question.textContent = model.get("question");
    line.replaceChildren(el("b", {}, model.get("answer")));
    if (answer.textContent !== model.get("answer")) {
      const [large, rest] = answerParts(model.get("answer"));
      answer.replaceChildren(large, ...(rest ? [el("span", { class: "sdc-lead-rest" }, rest)] : []));
    }
    why.textContent = model.get("why");
    ahead.textContent = model.get("ahead");
    // A focus that went with its button would be nowhere.
    if (!model.get("ahead") && ahead === document.activeElement) question.focus();
    ahead.hidden = !model.get("ahead");
    const notebook = model.get("notebook");
    const shown = notebook ? ways : ahead;
    if (shown.parentNode !== top) {
      const focused = top.contains(document.activeElement);
      top.replaceChildren(text, shown);
      if (focused) (notebook ? onward : ahead).focus();
    }
    onward.textContent = model.get("ahead");
    onward.href = `${toNotebooks() ?? ""}${notebook}`;
    onward.hidden = toNotebooks() === null;
    second.textContent = model.get("second");
    second.hidden = !model.get("second");
    text.className = `sdc-lead-${model.get("tone") || "plain"}`;
    tick.hidden = !model.get("tick");
    name.textContent = model.get("tick");
    box.checked = model.get("ticked");
    reason.hidden = model.get("ticked");
    const wanted = model.get("steps");
    steps.hidden = !wanted.length;
    steps.replaceChildren(
      ...wanted.map(([words, state]) =>
        el(
          "li",
          { class: `sdc-step-${state}`, "aria-current": state === "now" || state === "stop" ? "step" : null },
          words,
          el("span", { class: "sdc-hidden" }, ` (${SAID[state]})`),
        ),
      ),
    );
  };
  for (const trait of /** @type {const} */ ([
    "question",
    "answer",
    "why",
    "tone",
    "ahead",
    "notebook",
    "second",
    "tick",
    "ticked",
    "steps",
  ]))
    model.on(`change:${trait}`, together(draw));
  // A reason is of one table.
  model.on("change:table", () => {
    table = model.get("table");
    reason.value = "";
  });
  model.on("change:news", () => {
    if (!model.get("news")) return;
    news.textContent = model.get("news");
    setTimeout(() => news.replaceChildren(), 3000); // who reads the page meets it once
  });
  // The place where the next thing is done may be shown a moment later.
  /** @param {string} place @param {number} tries */
  const seek = (place, tries) => {
    const part = root.closest(".sdc-page")?.querySelector(`.sdc-at-${place}`);
    if (part instanceof HTMLElement && part.offsetParent) lead(root, place);
    else if (tries) requestAnimationFrame(() => seek(place, tries - 1));
  };
  model.on("msg:custom", (message) => {
    if (message.type !== "lead") return;
    // The button that accepts with a reason leads to the reason only if there is none.
    if (message.place === "tick" && !box.checked && reason.value.trim()) accept();
    else seek(message.place, 60);
  });
  draw();
  return end;
};
export default { render };
