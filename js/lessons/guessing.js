// @ts-check
// The guessing game: tick cells, ask, and see which cells are left. Where the person is stays in the kernel.
import { el } from "../widgets/dom.js";
import { storeState } from "./stored_state.js";

/**
 * @typedef {object} Traits
 * @property {string[]} labels
 * @property {number[]} counts
 * @property {number[]} possible
 * @property {string} message
 * @property {string} score
 * @property {number} turn
 * @property {string} stored_name name of the game, for its stored tally
 * @property {object} stored_state
 */
/** @param {import("../widgets/dom.js").Context<Traits>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-guessing");
  const boxes = model.get("labels").map((label, index) =>
    el("input", {
      type: "checkbox",
      value: String(index),
      "aria-label": `${label}, ${model.get("counts")[index]} people`,
    }),
  );
  const cells = boxes.map((box, index) =>
    el(
      "label",
      {},
      box,
      el("strong", {}, model.get("labels")[index]),
      el("span", { class: "sdc-mute" }, `${model.get("counts")[index]} people`),
    ),
  );
  const ask = el("button", { type: "submit", class: "sdc-primary" }, "Ask: is it one of these?");
  const next = el("button", { type: "button", onclick: () => model.send({ type: "next" }) }, "Next person");
  const message = el("p", { role: "status" });
  const score = el("p", { class: "sdc-mute" });
  /** @param {Event} event */
  const send = (event) => {
    event.preventDefault();
    model.send({ type: "ask", cells: boxes.filter((box) => box.checked).map((box) => Number(box.value)) });
  };
  root.append(
    el(
      "form",
      { onsubmit: send },
      el("fieldset", {}, el("legend", { class: "sdc-hidden" }, "Cells to ask about"), cells),
      el("div", { class: "sdc-buttons" }, ask, next),
    ),
    message,
    score,
  );
  const draw = () => {
    const possible = model.get("possible");
    const found = possible.length === 1;
    boxes.forEach((box, index) => {
      const open = possible.includes(index);
      box.disabled = !open || found;
      box.checked = false;
      cells[index].className = open ? (found ? "sdc-here" : "") : "sdc-out";
    });
    const leaving = found ? ask : next;
    const focused = document.activeElement === ask || document.activeElement === next;
    ask.hidden = found;
    next.hidden = !found;
    // Who works with the keyboard goes on where the next step is.
    if (focused && leaving.hidden) (found ? next : boxes[possible[0]]).focus();
    message.textContent = model.get("message");
    score.textContent = model.get("score");
  };
  model.on("change:turn", draw);
  draw();
  storeState(model);
};
export default { render };
