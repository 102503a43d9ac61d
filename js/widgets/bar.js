// @ts-check
// A number as a bar of its parts, each in the colour of its role.
import { el } from "./dom.js";

/** @typedef {{ label: string, share: number, text: string, role: string }} Part */

/**
 * Show other parts in a bar.
 * @param {HTMLElement} bar
 * @param {Part[]} parts
 */
export const fill = (bar, parts) => {
  bar.hidden = !parts.length;
  bar.setAttribute("aria-label", parts.map((part) => `${part.label} ${part.text}`).join(", "));
  bar.replaceChildren(
    ...parts.map((part) => {
      const one = el("span", { class: `sdc-${part.role}` });
      one.style.width = `${100 * part.share}%`;
      return one;
    }),
  );
};
/** @param {Part} part */
export const named = (part) => [el("span", { class: `sdc-chip sdc-${part.role}` }), `${part.label} ${part.text}`];
