// @ts-check
// Where things are in the grid, and what is selected there. A place is a row and a column of what is shown; the margins
// come after the last row and the last column.
import { within } from "./numbers.js";

/**
 * The field that an event is about.
 *
 * @param {Event} event
 */
export const field = (event) => (event.target instanceof HTMLInputElement ? event.target : null);

/**
 * @param {import("./grid.js").Grid} g
 * @param {number} r
 * @param {number} c
 * @returns {any} the field, button or text at a place
 */
export const at = (g, r, c) =>
  (r < g.R && c < g.C
    ? g.inputs[r * g.C + c]
    : r < g.R
      ? g.margins.row[r]
      : c < g.C
        ? g.margins.column[c]
        : g.margins.corner[0]) || null;

/** @param {import("./grid.js").Grid} g */
export const stops = (g) =>
  [...g.inputs, ...g.margins.row, ...g.margins.column, ...g.margins.corner].filter(
    (node) => node && node.tagName !== "SPAN",
  );

/** @param {import("./grid.js").Grid} g @param {HTMLElement} node */
export const find = (g, node) => {
  const i = g.inputs.indexOf(/** @type {HTMLInputElement} */ (node));
  if (i >= 0) return [Math.floor(i / g.C), i % g.C];
  const [r, c] = [g.margins.row.indexOf(node), g.margins.column.indexOf(node)];
  return r >= 0 ? [r, g.C] : c >= 0 ? [g.R, c] : [g.R, g.C];
};

/** @param {import("./grid.js").Grid} g @param {number} r @param {number} c */
export const go = (g, r, c) => {
  const last = [
    g.frame.explain && g.frame.column_title !== null ? g.R : g.R - 1,
    g.frame.explain && g.frame.row_title !== null ? g.C : g.C - 1,
  ];
  const stop =
    at(g, within(r, 0, last[0]), within(c, 0, last[1])) || at(g, within(r, 0, g.R - 1), within(c, 0, g.C - 1));
  stop.focus();
  stop.select?.();
};

/**
 * The rows and the columns of the block that is selected: [[first, last], [first, last]].
 *
 * @param {import("./grid.js").Grid} g
 */
export const span = (g) => {
  const other = g.extent ?? g.active;
  return [0, 1].map((k) => [Math.min(g.active[k], other[k]), Math.max(g.active[k], other[k])]);
};

/** @param {import("./grid.js").Grid} g @param {number[][]} block @param {number} i */
export const inBlock = (g, [[r0, r1], [c0, c1]], i) =>
  Math.floor(i / g.C) >= r0 && Math.floor(i / g.C) <= r1 && i % g.C >= c0 && i % g.C <= c1;

/** @param {import("./grid.js").Grid} g @param {number[] | null} corner */
export const select = (g, corner) => {
  g.extent = corner && (corner[0] !== g.active[0] || corner[1] !== g.active[1]) ? corner : null;
  const block = g.extent && span(g);
  g.cells.forEach((cell, i) => cell.classList.toggle("sdc-selected", Boolean(block && inBlock(g, block, i))));
  g.status.textContent = block
    ? `${block[0][1] - block[0][0] + 1} by ${block[1][1] - block[1][0] + 1} cells selected`
    : "";
  if (g.extent) g.cells[g.extent[0] * g.C + g.extent[1]].scrollIntoView({ block: "nearest", inline: "nearest" });
};
