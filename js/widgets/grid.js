// @ts-check
// The grid. The kernel says what is true in four parts (frame, cells, margins, reply); this side draws them and asks.
// A new frame builds the table; all else changes the nodes that are there, so one count never redraws 2,500 fields.
import { el, fresh, near, together } from "./dom.js";
import { commit, copy, paste } from "./grid_edits.js";
import { press } from "./grid_keys.js";
import { paint, paintMargins } from "./grid_paint.js";
import { at, find, select } from "./grid_places.js";
import { complain, place } from "./grid_problem.js";
import { build } from "./grid_table.js";

/**
 * The labels and the layout of what is shown.
 *
 * @typedef {object} Frame
 * @property {string} title
 * @property {string} row_name
 * @property {string} column_name
 * @property {string[]} rows
 * @property {string[]} columns
 * @property {[row: number, column: number]} origin the first that are shown
 * @property {[rows: number, columns: number]} size of the whole table
 * @property {[rows: number, columns: number]} window the most that are shown
 * @property {string} where which part of a large table it is
 * @property {boolean} editable
 * @property {string} hint
 * @property {string | null} row_title null: no margin
 * @property {string | null} column_title
 * @property {boolean} explain whether a number opens its formula
 * @property {string[]} roles of the parts of a margin
 * @property {boolean} becomes whether a cell says what its count becomes
 */
/**
 * What stands in the cells, row by row; counts as eight bytes each.
 *
 * @typedef {object} Cells
 * @property {DataView | null} counts
 * @property {DataView | null} reference
 * @property {DataView | null} shade
 * @property {string[] | null} texts
 * @property {string[] | null} suppressed
 * @property {boolean[]} [unknown] counts that the file does not contain
 * @property {[row: number, column: number, why: string] | null} best
 * @property {string[] | null} after what each count becomes, "" where it stays
 * @property {[rows: number[], columns: number[]]} hits
 */
/** @typedef {{ values: string[], parts: number[][] | null, part_labels: string[] }} Margin */
/**
 * @typedef {object} Margins
 * @property {Margin | null} row
 * @property {Margin | null} column
 * @property {{ text: string, parts: number[] } | null} corner
 */
/** @typedef {{ bar: HTMLElement, fills: HTMLElement[], value: HTMLElement }} Made what was made in a margin */
/** @typedef {HTMLElement & { key?: string, made?: Made }} MarginNode the button, or the text, in a margin */
/** @typedef {[row: number, column: number, text: string]} Edit a text for a cell, or a sentence about it */
/** @typedef {{ frame: Frame, cells: Cells, margins: Margins, reply: { turn: number, problems: Edit[] }, seen: number }} Traits */

/**
 * What the parts of a grid share. A place is a row and a column of what is shown; the margins come after the last.
 *
 * @typedef {object} Grid
 * @property {import("./dom.js").Model<Traits>} model
 * @property {HTMLElement} root
 * @property {HTMLElement} scroller what the table scrolls in
 * @property {HTMLElement & { anchor?: HTMLElement }} problem the sentence beside a cell
 * @property {HTMLElement} status told to those who do not see
 * @property {HTMLElement} pager
 * @property {HTMLElement} hint
 * @property {HTMLElement} after where the focus is after the table was skipped
 * @property {Frame} frame what the kernel last said of the table
 * @property {number} R how many rows are shown
 * @property {number} C how many columns
 * @property {number} top the first row that is shown
 * @property {number} left the first column
 * @property {HTMLElement[]} cells row by row
 * @property {HTMLInputElement[]} inputs row by row, null where a cell cannot be typed in
 * @property {string[]} shares how strongly each cell is shaded
 * @property {{ row: MarginNode[], column: MarginNode[], corner: MarginNode[] }} margins
 * @property {string[]} shown the text of each cell, as the kernel last said it
 * @property {number[]} active the place with the focus
 * @property {number[] | null} extent the other corner of a block
 * @property {HTMLInputElement | null} editing the field that is being typed in
 * @property {boolean} leaving after Escape, Tab leaves the table
 * @property {Edit[]} problems
 * @property {number} turn
 * @property {Set<number>} pending cells whose text was sent and not yet answered
 */

/** @param {import("./dom.js").Model<Traits>} model @param {HTMLElement} root @returns {Grid} */
const begin = (model, root) => ({
  model,
  root,
  scroller: el("div", { class: "sdc-scroll" }),
  problem: el("div", { class: "sdc-problem", role: "alert", id: fresh("problem"), hidden: true }),
  status: el("div", { class: "sdc-hidden", role: "status" }),
  pager: el("div", { class: "sdc-pager" }),
  after: el("span", { tabIndex: -1 }),
  hint: el("p", { class: "sdc-mute sdc-hint", id: fresh("hint") }),
  frame: /** @type {Frame} */ ({}),
  R: 0,
  C: 0,
  top: 0,
  left: 0,
  cells: [],
  inputs: [],
  shares: [],
  margins: { row: [], column: [], corner: [] },
  shown: [],
  active: [0, 0],
  extent: null,
  editing: null,
  leaving: false,
  problems: [],
  turn: Math.floor(Math.random() * 1e9),
  pending: new Set(),
});

/** @param {Grid} g */
const listen = (g) => {
  g.scroller.addEventListener("keydown", (event) => press(g, event));
  g.scroller.addEventListener("input", (event) => {
    if (!g.editing && g.extent) select(g, null);
    g.editing = /** @type {HTMLInputElement} */ (event.target);
  });
  g.scroller.addEventListener("focusin", (event) => {
    const stop = near(event, "input, button");
    if (!stop) return;
    const old = at(g, g.active[0], g.active[1]);
    if (old) old.tabIndex = -1;
    stop.tabIndex = 0;
    g.active = find(g, stop);
    g.leaving = false;
    if (stop.tagName === "INPUT") stop.select();
    const own = g.problems.find(([r, c]) => r - g.top === g.active[0] && c - g.left === g.active[1]);
    if (own) complain(g, own);
  });
  g.scroller.addEventListener("focusout", () => commit(g));
  g.scroller.addEventListener("copy", (event) => copy(g, event));
  g.scroller.addEventListener("cut", (event) => copy(g, event));
  g.scroller.addEventListener("paste", (event) => paste(g, event));
  g.scroller.addEventListener("scroll", () => place(g), { passive: true });
  g.scroller.addEventListener("click", (event) => {
    const i = g.frame.explain && !g.frame.editable ? g.cells.indexOf(near(event, "td")) : -1;
    if (i >= 0)
      g.model.send({
        type: "explain",
        kind: "cell",
        index: (g.top + Math.floor(i / g.C)) * g.frame.size[1] + g.left + (i % g.C),
      });
  });
  g.scroller.addEventListener("mousedown", (event) => {
    const input = near(event, "td")?.querySelector("input");
    if (!input || event.button) return;
    if (event.shiftKey) {
      event.preventDefault();
      if (g.editing) commit(g);
      select(g, find(g, input));
      return;
    }
    if (input !== document.activeElement) {
      event.preventDefault();
      input.focus();
    } else g.editing = input;
    select(g, null);
  });
  g.scroller.addEventListener("mouseover", (event) => {
    const input = near(event, "td")?.querySelector("input");
    if (input && event.buttons === 1 && !g.editing && g.scroller.contains(document.activeElement))
      select(g, find(g, input));
  });
};

/**
 * Set a table in small type, then with narrow labels too, where it would have to be scrolled sideways otherwise.
 * @param {Grid} g
 */
const fit = (g) => {
  const steps = ["sdc-small", "sdc-tight"];
  g.root.classList.remove(...steps);
  for (const step of steps) if (g.scroller.scrollWidth > g.scroller.clientWidth) g.root.classList.add(step);
};

/** @param {import("./dom.js").Context<Traits>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-grid");
  const g = begin(model, root);
  // The way out is offered before the way in.
  const skip = el(
    "button",
    { type: "button", class: "sdc-skip", onclick: () => g.after.focus() },
    "Skip the table (inside it: Escape, then Tab)",
  );
  root.append(skip, g.scroller, g.problem, g.status, g.pager, g.hint, g.after);
  listen(g);
  const answered = () => {
    const reply = model.get("reply");
    g.problems = reply.problems;
    if (reply.turn === g.turn) {
      g.pending.clear();
      paint(g);
    }
    complain(g);
  };

  // One message may change several parts; they are drawn together, once.
  /** @type {Set<string> | null} */
  let due = null;
  /** @param {string} part */
  const later = (part) => () => {
    due ??= new Set();
    due.add(part);
    soon();
  };
  const draw = () => {
    const parts = due || new Set(["frame"]);
    due = null;
    if (parts.has("frame")) build(g);
    if (parts.has("frame") || parts.has("cells")) paint(g);
    if (parts.has("frame") || parts.has("margins")) paintMargins(g);
    if (parts.has("frame") || parts.has("reply")) answered();
    if (parts.has("frame")) requestAnimationFrame(() => fit(g));
  };
  const soon = together(draw);
  const heard = new Map(["frame", "cells", "margins", "reply"].map((part) => [`change:${part}`, later(part)]));
  // marimo runs the cells that use a grid when its browser sets a trait.
  const seen = () => {
    model.set("seen", model.get("seen") + 1);
    model.save_changes();
  };
  if (customElements.get("marimo-anywidget")) heard.set("change:value", seen);
  for (const [name, handler] of heard) model.on(name, handler);
  draw();
  let width = 0;
  const room = new ResizeObserver(() => {
    if (root.clientWidth !== width) fit(g);
    width = root.clientWidth;
  });
  room.observe(root);
  return () => {
    room.disconnect();
    for (const [name, handler] of heard) model.off(name, handler);
  };
};
export default { render };
