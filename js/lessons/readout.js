// @ts-check
// Quantities: a bar, a number and where the number comes from. Above them a row of counts as columns, if there is one.
import { el, pieces } from "../widgets/dom.js";
import { storeState } from "./stored_state.js";

/**
 * @typedef {object} Reading
 * @property {string} label
 * @property {string} text
 * @property {[share: number, role: string | null][]} parts of its bar
 * @property {import("../widgets/dom.js").Line} formula
 */
/**
 * @typedef {object} Traits
 * @property {[label: string, count: number, share: number][]} cells
 * @property {Reading[]} readings
 * @property {number} turn
 * @property {string} stored_name
 * @property {Record<string, unknown>} stored_state
 */
/** @param {import("../widgets/dom.js").Context<Traits>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-readout");
  const picture = el("div", { class: "sdc-picture", role: "img" });
  const list = el("div", { class: "sdc-readings" });
  const said = el("p", { class: "sdc-hidden", role: "status" });
  root.append(picture, list, said);
  /** @param {HTMLElement} node @param {"width" | "height"} side @param {number} share */
  const sized = (node, side, share) => {
    node.style[side] = `${100 * Math.min(1, share)}%`;
    return node;
  };
  const draw = () => {
    const [cells, readings] = [model.get("cells"), model.get("readings")];
    picture.hidden = !cells.length;
    picture.setAttribute("aria-label", cells.map(([label, count]) => `${label}: ${count}`).join(", "));
    picture.replaceChildren(
      ...cells.map(([label, count, share]) =>
        el(
          "div",
          { class: "sdc-pillar", title: `${label}: ${count}` },
          el("span", { class: "sdc-space" }, sized(el("span", { class: "sdc-fill" }), "height", share)),
          el("span", { class: "sdc-name" }, label),
        ),
      ),
    );
    list.replaceChildren(
      ...readings.map((reading) =>
        el(
          "div",
          { class: "sdc-reading" },
          el("span", { class: "sdc-label" }, reading.label),
          el(
            "span",
            { class: "sdc-bar" },
            reading.parts.map(([share, role]) =>
              sized(el("span", { class: role ? `sdc-${role}` : "sdc-plain" }), "width", share),
            ),
          ),
          el("strong", {}, reading.text),
          el("span", { class: "sdc-formula sdc-mute" }, pieces(reading.formula)),
        ),
      ),
    );
    const words = readings.map((reading) => `${reading.label}: ${reading.text}`).join("; ");
    if (said.textContent !== words) said.textContent = words;
  };
  model.on("change:turn", draw);
  draw();
  storeState(model);
};
export default { render };
