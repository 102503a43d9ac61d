// A grid of fields with a column of margins, without a browser.

import { find } from "../widgets/grid_places.js";
import { FakeElement, FakeInput } from "./fake_page.js";

/**
 * Make a grid in which each field holds its place, "row,column".
 *
 * @param {number} rows
 * @param {number} columns
 * @param {object} options
 */
export const fakeGrid = (rows, columns, { margins = false, top = 0, left = 0 } = {}) => {
  const places = Array.from({ length: rows * columns }, (_, i) => [Math.floor(i / columns), i % columns]);
  const sent = [];
  const buttons = (count) => Array.from({ length: margins ? count : 0 }, () => new FakeElement("BUTTON"));
  const g = {
    model: { send: (message) => sent.push(message) },
    sent,
    root: new FakeElement(),
    problem: Object.assign(new FakeElement(), { id: "problem", offsetWidth: 100 }),
    status: new FakeElement(),
    frame: { explain: margins, row_title: margins ? "Total" : null, column_title: margins ? "Total" : null },
    R: rows,
    C: columns,
    top,
    left,
    cells: places.map(() => new FakeElement("TD")),
    inputs: places.map(([r, c]) => new FakeInput(`${r},${c}`)),
    shown: places.map(([r, c]) => `${r},${c}`),
    margins: { row: buttons(rows), column: buttons(columns), corner: buttons(1) },
    active: [0, 0],
    extent: null,
    editing: null,
    leaving: false,
    pending: new Set(),
    problems: [],
    turn: 0,
  };
  for (const node of [...g.inputs, ...g.margins.row, ...g.margins.column, ...g.margins.corner])
    node.onfocus = () => {
      const place = find(g, node);
      if (place[0] < rows && place[1] < columns) g.active = place;
    };
  return g;
};
