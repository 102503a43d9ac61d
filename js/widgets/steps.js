// @ts-check
// Go through a sequence: buttons, a number box, and a timer that asks for the next place once the last one is shown.
import { el, fresh, near } from "./dom.js";

/** @param {string} text */
const capitalised = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

const SPEEDS = [
  ["", "calm"],
  ["250", "quick"],
  ["80", "fast"],
];
/**
 * @typedef {object} Traits
 * @property {string} label
 * @property {number} position
 * @property {number} length
 * @property {string} noun
 * @property {string} announcement
 * @property {[name: string, words: string][]} options
 * @property {string} chosen
 * @property {string} problem
 * @property {number} turn
 * @property {boolean} plays
 */
/** @param {import("./dom.js").Context<Traits>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-steps");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const group = fresh("option");
  /** @type {ReturnType<typeof setTimeout> | null} */
  let timer = null;
  let [waiting, options] = [false, ""];
  const place = () => model.get("position");
  const last = () => model.get("length") - 1;
  /** @param {number} to */
  const go = (to) => {
    waiting = true;
    model.send({ type: "go", to });
  };
  /** @param {string} text @param {string} name @param {() => number} to */
  const step = (text, name, to) =>
    el(
      "button",
      {
        type: "button",
        title: name,
        onclick: () => {
          stop();
          go(to());
        },
      },
      el("span", { "aria-hidden": "true" }, text),
    );
  const [first, before, after, end] = [
    step("|‹", "First", () => 0),
    step("‹", "Previous", () => place() - 1),
    step("›", "Next", () => place() + 1),
    step("›|", "Last", last),
  ];
  const box = el("input", { type: "number", min: 1, step: 1, inputMode: "numeric" });
  const name = el("label", {}, el("span"), " ", box);
  const total = el("span", { class: "sdc-mute" });
  const play = el("button", { type: "button", onclick: () => (timer ? stop() : start()) }, "Play");
  const speed = el(
    "select",
    { "aria-label": "Speed of playing" },
    SPEEDS.map(([value, words]) => el("option", { value }, words)),
  );
  const segment = el("span", { class: "sdc-segment" });
  const sets = el("fieldset", {}, el("legend", { class: "sdc-hidden" }, "Possibilities"), segment);
  const said = el("p", { role: "status" });
  const problem = el("p", { class: "sdc-wrong", role: "alert" });
  root.append(
    sets,
    el(
      "div",
      { class: "sdc-steps-row", role: "group", "aria-label": model.get("label") },
      name,
      total,
      first,
      before,
      after,
      end,
      play,
      speed,
    ),
    said,
    problem,
  );

  // Where the blue button of a page plays, no second button does; while it plays there is one to pause.
  const led = !model.get("plays");
  play.hidden = led;
  // A screen reader could not keep up with a film; it is told where it stops.
  const start = () => {
    if (timer || !model.get("length")) return;
    said.setAttribute("aria-live", "off");
    play.textContent = "Pause";
    if (place() >= last()) go(0);
    tick();
    play.hidden = false;
  };
  // A short film is slower, so that each of its pictures can be read.
  const unhurried = () => Math.min(2000, Math.max(600, 10_000 / (last() + 1)));
  const pause = () => Math.max(Number(speed.value) || unhurried(), calm.matches ? 600 : 0);
  const tick = () => {
    timer = setTimeout(() => {
      if (!waiting) {
        if (place() >= last()) return stop();
        go(place() + 1);
      }
      tick();
    }, pause());
  };
  const stop = () => {
    if (!timer) return;
    clearTimeout(timer);
    timer = null;
    play.textContent = "Play";
    play.hidden = led;
    said.setAttribute("aria-live", "polite");
    said.textContent = "";
    setTimeout(() => {
      said.textContent = model.get("announcement");
    }, 30);
  };
  box.addEventListener("change", () => {
    stop();
    if (/^\d+$/.test(box.value)) go(Number(box.value) - 1);
    else draw();
  });

  const draw = () => {
    waiting = false;
    const [at, length] = [place(), model.get("length")];
    const now = JSON.stringify(model.get("options"));
    if (now !== options) {
      options = now;
      const focused =
        sets.contains(document.activeElement) && /** @type {HTMLInputElement} */ (document.activeElement).value;
      segment.replaceChildren(
        ...model.get("options").map(([value, words]) =>
          el(
            "label",
            {},
            el("input", {
              type: "radio",
              name: group,
              value,
              onchange: () => {
                stop();
                model.send({ type: "choose", option: value });
              },
            }),
            words,
          ),
        ),
      );
      if (focused) [...sets.querySelectorAll("input")].find((input) => input.value === focused)?.focus();
    }
    for (const input of sets.querySelectorAll("input")) input.checked = input.value === model.get("chosen");
    name.children[0].textContent = capitalised(model.get("noun"));
    box.max = String(length);
    box.value = String(at + 1);
    box.style.width = `${String(length).length + 5}ch`;
    total.textContent = `of ${length.toLocaleString("en")}`;
    // A button that has just become useless keeps the focus, so that the keyboard does not lose its place.
    for (const button of [first, before]) button.setAttribute("aria-disabled", String(at === 0));
    for (const button of [after, end]) button.setAttribute("aria-disabled", String(at >= length - 1));
    /** @type {HTMLElement} */ (root.querySelector(".sdc-steps-row")).hidden = !length;
    if (said.textContent !== model.get("announcement")) said.textContent = model.get("announcement");
    problem.textContent = model.get("problem");
    if (timer && at >= length - 1) stop();
  };
  root.addEventListener(
    "click",
    (event) => {
      if (near(event, "[aria-disabled=true]")) {
        event.stopPropagation();
        event.preventDefault();
      }
    },
    true,
  );
  /** @param {import("./dom.js").Message} message */
  const hear = (message) => {
    if (message.type === "play") start();
  };
  model.on("msg:custom", hear);
  model.on("change:turn", draw);
  draw();
  return () => {
    model.off("msg:custom", hear);
    clearTimeout(timer ?? undefined);
    model.off("change:turn", draw);
  };
};
export default { render };
