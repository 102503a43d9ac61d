// @ts-check
// What the dialog of a page shows of a number: what it says, a bar of its parts, its formulas; or lines to look through.
import { fill, named } from "./bar.js";
import { el, pieces } from "./dom.js";

/** @param {import("./dom.js").Message} message @returns {Node[]} */
export const explained = ({ lines, sentences, parts, search }) => {
  /** @type {HTMLElement[]} */
  const shown = lines.map((/** @type {import("./dom.js").Line} */ line) =>
    el("p", { class: "sdc-formula" }, pieces(line)),
  );
  if (search) {
    const field = el("input", { type: "search", "aria-label": "Search terms", placeholder: "Search terms" });
    const count = el("span", { role: "status", class: "sdc-mute" });
    field.addEventListener("input", () => {
      const wanted = field.value.trim().toLowerCase();
      for (const line of shown) line.hidden = !line.textContent?.toLowerCase().includes(wanted);
      count.textContent = ` ${shown.filter((line) => !line.hidden).length} of ${shown.length}`;
    });
    return [field, count, ...shown];
  }
  if (!sentences.length) return shown;
  const bar = el("div", { class: "sdc-bar", role: "img" });
  fill(bar, parts);
  const key = el(
    "div",
    { class: "sdc-key" },
    parts.map((/** @type {import("./bar.js").Part} */ part) => el("span", {}, named(part))),
  );
  return [
    ...sentences.map((/** @type {string} */ sentence) => el("p", {}, sentence)),
    bar,
    key,
    el("details", {}, el("summary", {}, "Formulas"), shown),
  ];
};
