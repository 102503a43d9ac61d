// @ts-check
// The nodes of a table: its head, its fields or texts, its margins, and the buttons that turn its pages.
import { el } from "./dom.js";
import { cornered, fitted, heading } from "./grid_labels.js";
import { at } from "./grid_places.js";
import { put, within } from "./numbers.js";

// A longer label is cut in its middle; it wraps onto two or three lines before.
const ROW_LETTERS = 44;
const COLUMN_LETTERS = 30;

/** @param {import("./grid.js").Grid} g */
export const page = (g) => {
  /** @param {string} text @param {number} rows @param {number} columns @param {boolean} possible */
  const turnTo = (text, rows, columns, possible) =>
    el(
      "button",
      { type: "button", disabled: !possible, onclick: () => g.model.send({ type: "page", rows, columns }) },
      text,
    );
  const [[height, width], [rows, columns]] = [g.frame.window, g.frame.size];
  g.pager.replaceChildren(
    ...(g.frame.where
      ? [
          el("span", {}, g.frame.where),
          rows > height
            ? [turnTo("Rows before", -1, 0, g.top > 0), turnTo("Rows after", 1, 0, g.top + height < rows)]
            : [],
          columns > width
            ? [turnTo("Columns before", 0, -1, g.left > 0), turnTo("Columns after", 0, 1, g.left + width < columns)]
            : [],
        ].flat()
      : []),
  );
};

/** @param {import("./grid.js").Grid} g */
export const build = (g) => {
  const refocus = g.scroller.contains(document.activeElement);
  g.frame = g.model.get("frame");
  [g.R, g.C] = [g.frame.rows?.length || 0, g.frame.columns?.length || 0];
  if (!g.R || !g.C) {
    g.scroller.replaceChildren();
    [g.cells, g.inputs, g.margins] = [[], [], { row: [], column: [], corner: [] }];
    return;
  }
  [g.top, g.left] = g.frame.origin;
  [g.shown, g.editing, g.extent] = [[], null, null];
  g.pending.clear();
  const names = { row: fitted(g.frame.rows, ROW_LETTERS), col: fitted(g.frame.columns, COLUMN_LETTERS) };
  const rowTitle = g.frame.row_title,
    columnTitle = g.frame.column_title;
  /** @param {string} kind @param {number} index @param {string} name */
  const chosen = (kind, index, name) =>
    g.frame.explain
      ? el("button", {
          type: "button",
          tabIndex: -1,
          class: "sdc-value",
          "data-name": name,
          onclick: () => g.model.send({ type: "explain", kind, index }),
        })
      : el("span", { class: "sdc-value", "data-name": name });
  /** @param {string} kind @param {number} index @param {string} name @param {string} type */
  const side = (kind, index, name, type) => el("td", { class: `sdc-margin sdc-${type}` }, chosen(kind, index, name));
  const both = [g.frame.row_name, g.frame.column_name].filter(Boolean).join(" by ");
  const corner = cornered(g.frame.row_name, names.row.begin, both);
  const right = rowTitle === null ? null : el("th", { scope: "col", class: "sdc-right" }, rowTitle);
  const table = el(
    "table",
    {
      "aria-describedby": g.hint.id,
      class: `${g.frame.editable ? "sdc-fields" : "sdc-texts"}${g.frame.becomes ? " sdc-becoming" : ""}`,
    },
    el("caption", { class: "sdc-hidden" }, g.frame.title),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        corner,
        g.frame.columns.map((label, c) => heading(label, "col", names.col.texts[c])),
        right,
      ),
    ),
  );
  const body = el("tbody");
  for (let r = 0; r < g.R; r++) {
    const row = el("tr", {}, heading(g.frame.rows[r], "row", names.row.texts[r]));
    for (let c = 0; c < g.C; c++) {
      const cell = document.createElement("td");
      if (g.frame.editable) {
        const input = document.createElement("input");
        input.inputMode = "numeric";
        input.autocomplete = "off";
        input.size = 1;
        input.tabIndex = -1;
        input.setAttribute("aria-label", `${g.frame.rows[r]}, ${g.frame.columns[c]}`);
        cell.append(input);
        if (g.frame.becomes) cell.append(el("span", { class: "sdc-after" }));
      }
      row.append(cell);
    }
    if (rowTitle !== null) row.append(side("row", g.top + r, `${rowTitle}, ${g.frame.rows[r]}`, "right"));
    body.append(row);
  }
  table.append(body);
  const foot = el("tfoot");
  if (columnTitle !== null) {
    foot.append(
      el(
        "tr",
        {},
        heading(columnTitle, "row"),
        g.frame.columns.map((label, c) => side("column", g.left + c, `${columnTitle}, ${label}`, "bottom")),
        rowTitle === null ? null : side("table", 0, g.frame.title, "right sdc-whole"),
      ),
    );
    table.append(foot);
  }
  /** @param {HTMLElement} part @param {string} selector @returns {HTMLElement[]} */
  const all = (part, selector) => [...part.querySelectorAll(selector)].filter((node) => node instanceof HTMLElement);
  g.cells = all(body, "td:not(.sdc-margin)");
  g.inputs = g.cells.map((cell) => /** @type {HTMLInputElement} */ (cell.firstChild));
  g.shares = [];
  g.margins = {
    row: all(body, ".sdc-value"),
    column: all(foot, ".sdc-bottom .sdc-value"),
    corner: all(foot, ".sdc-whole .sdc-value"),
  };
  g.active = [within(g.active[0], 0, g.R - 1), within(g.active[1], 0, g.C - 1)];
  const stop = at(g, g.active[0], g.active[1]);
  if (stop) stop.tabIndex = 0;
  g.scroller.replaceChildren(table);
  // A table that only scrolls must be reachable by keyboard too.
  for (const [key, value] of [
    ["tabindex", "0"],
    ["role", "region"],
    ["aria-label", g.frame.title],
  ]) {
    if (stop) g.scroller.removeAttribute(key);
    else g.scroller.setAttribute(key, value);
  }
  put(g.hint, "textContent", g.frame.hint);
  g.hint.hidden = !g.frame.hint;
  page(g);
  // The focused field must not hide below the fixed headers.
  requestAnimationFrame(() => {
    const sides = [corner.offsetHeight, right?.offsetWidth ?? 0, foot.offsetHeight, corner.offsetWidth];
    g.scroller.style.scrollPadding = sides.map((side) => `${side + 2}px`).join(" ");
  });
  if (refocus) stop?.focus();
};
