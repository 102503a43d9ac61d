// @ts-check
// Texts that a person put into cells, typed or pasted, on their way to the kernel.
import { at, field, select, span } from "./grid_places.js";
import { complain } from "./grid_problem.js";

/** @param {import("./grid.js").Grid} g @param {import("./grid.js").Edit[]} edits */
export const send = (g, edits) => {
  if (!edits.length) return;
  for (const [r, c, text] of edits) {
    g.pending.add(r * g.C + c);
    g.inputs[r * g.C + c].value = text;
  }
  g.model.send({
    type: "edit",
    turn: ++g.turn,
    cells: edits.map(([r, c, text]) => [g.top + r, g.left + c, text.slice(0, 100)]),
  });
};

/** @param {import("./grid.js").Grid} g */
export const commit = (g) => {
  const i = g.editing ? g.inputs.indexOf(g.editing) : -1;
  g.editing = null;
  if (i >= 0 && g.inputs[i].value !== g.shown[i]) send(g, [[Math.floor(i / g.C), i % g.C, g.inputs[i].value]]);
};

/** @param {import("./grid.js").Grid} g */
export const restore = (g) => {
  const i = g.editing ? g.inputs.indexOf(g.editing) : -1;
  g.editing = null;
  if (i < 0) return;
  g.inputs[i].value = g.shown[i];
  g.inputs[i].select();
};

/** @template T @param {import("./grid.js").Grid} g @param {(row: number, column: number) => T} visit */
export const inSelection = (g, visit) => {
  const [[r0, r1], [c0, c1]] = g.extent ? span(g) : g.active.map((k) => [k, k]);
  return Array.from({ length: r1 - r0 + 1 }, (_, r) =>
    Array.from({ length: c1 - c0 + 1 }, (__, c) => visit(r0 + r, c0 + c)),
  );
};

/** @param {import("./grid.js").Grid} g @param {ClipboardEvent} event */
export const copy = (g, event) => {
  if (!field(event) || (g.editing && g.editing.selectionStart !== g.editing.selectionEnd)) return;
  event.preventDefault();
  event.clipboardData?.setData(
    "text/plain",
    inSelection(g, (r, c) => at(g, r, c).value)
      .map((row) => row.join("\t"))
      .join("\n"),
  );
};

/** @param {number} rows @param {number} columns */
const sizeInWords = (rows, columns) =>
  `${rows} row${rows === 1 ? "" : "s"} and ${columns} column${columns === 1 ? "" : "s"}`;

/** @param {import("./grid.js").Grid} g @param {ClipboardEvent} event */
export const paste = (g, event) => {
  const input = field(event);
  if (!input || !event.clipboardData) return;
  const block = event.clipboardData
    .getData("text/plain")
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)
    .map((line) => line.split("\t"));
  if (g.editing && block.length === 1 && block[0].length === 1) return;
  event.preventDefault();
  const [r, c] = g.extent ? span(g).map(([low]) => low) : g.active;
  const [height, width] = [block.length, Math.max(...block.map((line) => line.length))];
  g.editing = null;
  if (r + height > g.R || c + width > g.C) {
    const copied = sizeInWords(height, width);
    const available = sizeInWords(g.R - r, g.C - c);
    const told = `The copied cells have ${copied}. From this cell on, the table has only ${available}. Nothing was pasted.`;
    g.problems = [[g.top + r, g.left + c, told]];
    input.value = g.shown[g.inputs.indexOf(input)];
    complain(g);
  } else {
    send(
      g,
      block.flatMap((line, i) => line.map((text, j) => /** @type {import("./grid.js").Edit} */ ([r + i, c + j, text]))),
    );
    select(g, height * width > 1 ? [r + height - 1, c + width - 1] : null);
  }
  input.select();
};
