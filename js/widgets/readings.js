// @ts-check
// A list of quantities: name, number and formula. Rows are kept while only their numbers change, so that focus stays.
import { el, pieces, together } from "./dom.js";

/**
 * @typedef {object} Traits
 * @property {string} label
 * @property {{ label: string, name: import("./dom.js").Line, text: string, formula: import("./dom.js").Line }[]} rows
 * @property {number} turn
 */
/** @param {import("./dom.js").Context<Traits>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-readings-list");
  const list = el("ul", { "aria-label": model.get("label") });
  root.append(list);
  /** @type {ReturnType<typeof make>[]} */
  let rows = [];
  /** @param {number} index */
  const make = (index) => {
    const name = el("span", { class: "sdc-name" });
    const number = el("button", {
      type: "button",
      class: "sdc-number",
      title: "Show the computation",
      onclick: () => model.send({ type: "explain", index }),
    });
    const formula = el("span", { class: "sdc-formula" });
    return { name, number, formula, node: el("li", {}, name, number, formula) };
  };
  const draw = () => {
    const now = model.get("rows");
    if (now.length !== rows.length) {
      rows = now.map((_, index) => make(index));
      list.replaceChildren(...rows.map((row) => row.node));
    }
    now.forEach((row, index) => {
      rows[index].name.replaceChildren(...pieces(row.name));
      rows[index].number.textContent = row.text;
      rows[index].number.setAttribute("aria-label", `${row.label}: ${row.text}`);
      rows[index].formula.replaceChildren(...pieces(row.formula));
    });
  };
  model.on("change:turn", together(draw));
  draw();
};
export default { render };
