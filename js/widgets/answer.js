// @ts-check
// The answer of a screen: one large number, what it is made of, and its formula with the numbers put in.
import { fill, named } from "./bar.js";
import { el, pieces, together } from "./dom.js";
import { pin } from "./pinned.js";

/**
 * @typedef {object} Traits
 * @property {string} label
 * @property {string} value
 * @property {import("./dom.js").Line} caption
 * @property {string} sentence
 * @property {import("./bar.js").Part[]} parts
 * @property {import("./dom.js").Line} formula
 * @property {string[]} ends
 * @property {string} changed
 */
/** @param {import("./dom.js").Context<Traits>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc");
  const number = el("button", {
    type: "button",
    class: "sdc-big",
    title: "Show the computation",
    onclick: () => model.send({ type: "explain" }),
  });
  const bar = el("div", { class: "sdc-bar", role: "img" });
  const ends = el("div", { class: "sdc-ends" });
  const key = el("div", { class: "sdc-key" });
  const caption = el("p", { class: "sdc-mute" });
  const formula = el("p", { class: "sdc-formula" });
  const sentence = el("p", { class: "sdc-note" });
  const changed = el("p", { class: "sdc-changed" });
  root.append(
    changed,
    el("div", { class: "sdc-answer" }, number, el("div", { class: "sdc-beside" }, bar, ends, key)),
    formula,
    caption,
    sentence,
  );
  const { line: pinned, end } = pin(number);
  // Where a lead says the answer, it is announced there: a change is said once.
  requestAnimationFrame(() => {
    const led = root.closest(".sdc-page")?.querySelector(".sdc-lead");
    if (led) pinned.remove();
    else changed.setAttribute("role", "status");
  });
  const draw = () => {
    const parts = model.get("parts");
    fill(bar, parts);
    number.textContent = model.get("value");
    number.setAttribute("aria-label", `${model.get("label")}: ${model.get("value")}`);
    ends.replaceChildren(...model.get("ends").map((words) => el("span", {}, words)));
    key.replaceChildren(
      ...parts.map((part) =>
        el(
          "button",
          { type: "button", title: "Show the computation", onclick: () => model.send({ type: "explain" }) },
          named(part),
        ),
      ),
    );
    if (changed.textContent !== model.get("changed")) changed.textContent = model.get("changed");
    pinned.replaceChildren(el("b", {}, model.get("value")), model.get("label"), el("span", {}, model.get("changed")));
    formula.replaceChildren(...pieces(model.get("formula")));
    caption.replaceChildren(...pieces(model.get("caption")));
    if (sentence.textContent !== model.get("sentence")) sentence.textContent = model.get("sentence");
    sentence.hidden = !model.get("sentence");
  };
  const schedule = together(draw);
  for (const name of ["value", "caption", "sentence", "parts", "formula", "ends", "changed"])
    model.on(`change:${name}`, schedule);
  draw();
  return end;
};
export default { render };
