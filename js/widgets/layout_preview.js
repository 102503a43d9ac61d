// @ts-check
// The first and last lines of a file, with a list for the role of each column and line.
import { el, fresh } from "./dom.js";

/** @typedef {[value: string, words: string][]} Options */
/** @typedef {{ number: number, heading: string, role: string, doubts: string[] }} Column */
/** @typedef {{ number: number, role: string, cells: string[], doubts: string[] }} Row */
/** @typedef {{ name: string, label: string, options: Options, chosen: string }} Setting */
/**
 * @typedef {object} Preview
 * @property {Column[]} columns
 * @property {Row[]} rows
 * @property {Options} column_options
 * @property {Options} row_options
 * @property {Setting[]} settings
 * @property {number} hidden_columns
 * @property {number} hidden_rows
 * @property {string[]} doubts doubts without a place in the file
 * @property {string} summary
 * @property {string} problem reason why the file cannot be read with this layout
 */
/** @typedef {(message: import("./dom.js").Message) => void} Send */

/**
 * The kind of a role, which has a colour: "code" for "code:1".
 *
 * @param {string} role
 */
export const kindOfRole = (role) => role.split(":")[0];

/**
 * The kind of a cell: in lines of counts that of its column, in other lines that of the line.
 *
 * @param {string} row @param {string} column
 */
export const kindOfCell = (row, column) => (row === "count" ? kindOfRole(column) : row);

/**
 * The position of the first item after the cut, -1 if nothing is cut.
 *
 * @param {{ number: number }[]} items
 */
export const cutBefore = (items) => items.findIndex(({ number }, i) => i > 0 && number > items[i - 1].number + 1);

/** @param {number} n @param {string} one @param {string} several */
const counted = (n, one, several) => `${n.toLocaleString("en-GB")} ${n === 1 ? one : several}`;

/**
 * @param {string[]} doubts
 * @param {string} id
 */
const doubtNote = (doubts, id) =>
  doubts.length ? el("span", { class: "sdc-doubt", id }, doubts.map((doubt) => `⚠ ${doubt}`).join(" ")) : null;

/**
 * A list of roles, with the doubts about its column or line.
 *
 * @param {{ name: string, key: string, options: Options, role: string, doubts: string[] }} about
 * @param {(role: string) => void} change
 */
const roleList = ({ name, key, options, role, doubts }, change) => {
  const id = fresh("doubt");
  const note = doubtNote(doubts, id);
  const select = el("select", { "aria-label": name, "data-key": key, "aria-describedby": note ? id : null });
  for (const [value, words] of options) select.append(el("option", { value }, words));
  select.value = role;
  select.addEventListener("change", () => change(select.value));
  return [select, note];
};

/** @param {Preview} preview @param {Send} send */
const table = (preview, send) => {
  const { columns, rows, column_options, row_options } = preview;
  const gap = cutBefore(columns);
  const cut = counted(preview.hidden_columns, "column", "columns");
  /** @param {any[]} cells @param {any} gapCell */
  const withGap = (cells, gapCell) => (gap < 0 ? cells : [...cells.slice(0, gap), gapCell, ...cells.slice(gap)]);
  const heads = columns.map(({ number, heading, role, doubts }) => {
    const name = `Role of column ${number}${heading ? ` (${heading})` : ""}`;
    const about = { name, key: `column-${number}`, options: column_options, role, doubts };
    const change = (/** @type {string} */ chosen) => send({ type: "role", column: number, role: chosen });
    return el("th", { scope: "col", class: `sdc-role-${kindOfRole(role)}` }, ...roleList(about, change));
  });
  const corner = el("th", { scope: "col" }, "Line");
  const gapHead = el("th", { scope: "col", class: "sdc-cut" }, `… ${cut} not shown`);
  const body = rows.map(({ number, role, cells, doubts }) => {
    const about = { name: `Role of line ${number}`, key: `row-${number}`, options: row_options, role, doubts };
    const change = (/** @type {string} */ chosen) => send({ type: "role", row: number, role: chosen });
    const head = el(
      "th",
      { scope: "row", class: `sdc-line-${role}` },
      el("span", { class: "sdc-line-number" }, String(number)),
      ...roleList(about, change),
    );
    const data = cells.map((text, j) => el("td", { class: `sdc-role-${kindOfCell(role, columns[j].role)}` }, text));
    return el("tr", {}, head, ...withGap(data, el("td", { class: "sdc-cut" }, "…")));
  });
  const line = cutBefore(rows);
  if (line > 0) {
    const left = `… ${counted(preview.hidden_rows, "line", "lines")} not shown`;
    const span = columns.length + 1 + (gap < 0 ? 0 : 1);
    body.splice(line, 0, el("tr", {}, el("td", { colSpan: span, class: "sdc-cut" }, left)));
  }
  return el(
    "table",
    { class: "sdc-lines" },
    el("caption", { class: "sdc-hidden" }, "First and last lines of the file, with the role of each column and line"),
    el("thead", {}, el("tr", {}, corner, ...withGap(heads, gapHead))),
    el("tbody", {}, ...body),
  );
};

/** @param {Setting} setting @param {Send} send */
const settingList = ({ name, label, options, chosen }, send) => {
  const id = fresh("setting");
  const select = el("select", { id, "data-key": name });
  for (const [value, words] of options) select.append(el("option", { value }, words));
  select.value = chosen;
  select.addEventListener("change", () => send({ type: "role", name, value: select.value }));
  return el("span", { class: "sdc-choice" }, el("label", { htmlFor: id }, label), select);
};

/**
 * The preview of a file, which shows a changed layout in place.
 *
 * @param {Send} send
 */
export const layoutPreview = (send) => {
  const title = el("p", { class: "sdc-preview-title" }, "How this file is read");
  const hint = "Check the role of each column and line. Change a role that is wrong.";
  const settings = el("div", { class: "sdc-choices" });
  const doubts = el("ul", { class: "sdc-doubts" });
  const lines = el("div", { class: "sdc-lines-frame", role: "region", tabIndex: 0, "aria-label": "Lines of the file" });
  const id = fresh("summary");
  const summary = el("p", { id, class: "sdc-summary", role: "status" });
  const use = el("button", { type: "button", class: "sdc-primary", "aria-describedby": id }, "Use this table");
  use.addEventListener("click", () => use.getAttribute("aria-disabled") !== "true" && send({ type: "use" }));
  const layout = el("button", { type: "button", onclick: () => send({ type: "layout" }) }, "Save layout (TOML)");
  const cancel = el("button", { type: "button", onclick: () => send({ type: "cancel" }) }, "Cancel");
  const root = el(
    "section",
    { class: "sdc-preview", "aria-label": "How this file is read", hidden: true },
    title,
    el("p", { class: "sdc-mute" }, hint),
    settings,
    doubts,
    lines,
    summary,
    el("div", { class: "sdc-buttons" }, use, layout, cancel),
  );
  /** @param {Preview | Record<string, never>} preview */
  const show = (preview) => {
    const wasHidden = root.hidden;
    root.hidden = !preview.columns;
    if (!preview.columns) {
      for (const part of [settings, doubts, lines]) part.replaceChildren();
      return;
    }
    const shown = /** @type {Preview} */ (preview);
    const active = document.activeElement;
    const key = active && root.contains(active) ? active.getAttribute("data-key") : null;
    const [left, top] = [lines.scrollLeft, lines.scrollTop];
    settings.replaceChildren(...shown.settings.map((setting) => settingList(setting, send)));
    doubts.replaceChildren(...shown.doubts.map((doubt) => el("li", {}, doubt)));
    lines.replaceChildren(table(shown, send));
    [lines.scrollLeft, lines.scrollTop] = [left, top];
    summary.textContent = shown.problem || shown.summary;
    summary.classList.toggle("sdc-wrong", shown.problem !== "");
    use.setAttribute("aria-disabled", String(shown.problem !== ""));
    layout.hidden = shown.problem !== "";
    if (key) /** @type {HTMLElement | null} */ (root.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus();
    if (wasHidden) root.scrollIntoView?.({ block: "nearest" });
  };
  return { root, show };
};
