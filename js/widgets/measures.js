// @ts-check
// Numbers with their names, one below the other; each opens its formula.
import { el, pieces, together } from "./dom.js";
import { sight } from "./lazy_widget.js";

/** @typedef {{ name: import("./dom.js").Line, value: string, mean: string, error: string, strong: boolean }} Measure */

/** @typedef {{ label: string, measures: Measure[], heads: string[], old: boolean }} Traits */

/** @param {import("./dom.js").Context<Traits>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-measures");
  const body = el("tbody");
  const head = el("thead");
  const table = el("table", {}, el("caption", { class: "sdc-hidden" }, model.get("label")), head, body);
  root.append(table);
  const place = sight(model, table);
  /** @param {number} index */
  const make = (index) => {
    const name = el("th", { scope: "row" }),
      value = document.createTextNode(""),
      mean = document.createTextNode(""),
      error = el("span", { class: "sdc-error" }),
      averages = el("td", {}, mean);
    const button = el("button", { type: "button", onclick: () => model.send({ type: "explain", index }) }, value);
    return { name, value, mean, error, averages, button, row: el("tr", {}, name, el("td", {}, button), averages) };
  };
  /** @type {ReturnType<typeof make>[]} */
  let rows = [];
  const draw = () => {
    const measures = model.get("measures");
    const heads = model.get("heads");
    head.hidden = !heads.length;
    head.replaceChildren(
      el(
        "tr",
        {},
        heads.map((text) => el("th", { scope: "col" }, text)),
      ),
    );
    // The buttons stay while the numbers change, so that the keyboard does not lose its place.
    if (rows.length !== measures.length) {
      rows = measures.map((_, index) => make(index));
      body.replaceChildren(...rows.map(({ row }) => row));
    }
    measures.forEach((measure, index) => {
      const { name, value, mean, error, averages, button, row } = rows[index];
      name.replaceChildren(...pieces(measure.name));
      value.data = measure.value;
      mean.data = measure.mean;
      averages.hidden = !model.get("heads").length;
      // The error belongs to the mean where there is one.
      (measure.mean ? averages : button).append(error);
      error.textContent = measure.error ? ` ± ${measure.error}` : "";
      row.className = measure.strong ? "sdc-strong" : "";
      button.setAttribute("aria-label", `${name.textContent}: ${measure.value}. Show the computation`);
    });
    place.done();
  };
  const schedule = together(() => {
    if (!model.get("old")) draw();
  });
  for (const name of ["measures", "heads", "old"]) model.on(`change:${name}`, schedule);
  draw();
  return place.stop;
};
export default { render };
