// @ts-check
// Numbers with their names, one below the other; each opens its formula.
import { el, together } from "./dom.js";

/** @param {{ model: import("./dom.js").Model, el: HTMLElement }} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-measures");
  const body = el("tbody");
  root.append(el("table", {}, el("caption", { class: "sdc-hidden" }, model.get("label")), body));
  let rows = [];
  const draw = () => {
    const measures = model.get("measures");
    // The buttons stay while the numbers change, so that the keyboard does not lose its place.
    if (rows.length !== measures.length) {
      rows = measures.map((_, index) => {
        const name = el("th", { scope: "row" }),
          value = document.createTextNode(""),
          error = el("span", { class: "sdc-error" });
        const button = el(
          "button",
          { type: "button", onclick: () => model.send({ type: "explain", index }) },
          value,
          error,
        );
        return { name, value, error, button, row: el("tr", {}, name, el("td", {}, button)) };
      });
      body.replaceChildren(...rows.map(({ row }) => row));
    }
    measures.forEach((measure, index) => {
      const { name, value, error, button, row } = rows[index];
      name.textContent = measure.name;
      value.data = measure.value;
      error.textContent = measure.error ? ` ± ${measure.error}` : "";
      row.className = measure.strong ? "sdc-strong" : "";
      button.setAttribute("aria-label", `${measure.name}: ${measure.value}. How this number comes about`);
    });
  };
  model.on("change:measures", together(draw));
  draw();
};
export default { render };
