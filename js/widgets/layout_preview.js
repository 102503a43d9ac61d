// @ts-check
// The first and last lines of a file, with a list for the role of each column and line.
import { el, fresh } from "./dom.js";

/** @typedef {[value: string, words: string][]} Options */
/** @typedef {{ number: number, heading: string, role: string }} Column */
/** @typedef {{ number: number, role: string, cells: string[] }} Row */
/** @typedef {{ name: string, label: string, options: Options, chosen: string }} Setting */
/** @typedef {{ name: string, axis: string, label: string, problem: string }} AxisName */
/** @typedef {{ words: string, change: Record<string, string | number>, chosen: boolean }} Answer */
/** @typedef {{ text: string, place: string, several: string, open: boolean, answers: Answer[] }} Decision */
/**
 * Whether a decision must still be made; a selected answer makes it, and can be changed.
 * @param {Decision} decision
 */
const isOpen = ({ open }) => open;

/**
 * @typedef {object} Preview
 * @property {Column[]} columns
 * @property {Row[]} rows
 * @property {Options} column_options
 * @property {Options} row_options
 * @property {Setting[]} settings
 * @property {number} hidden_columns
 * @property {number} hidden_rows
 * @property {Decision[]} decisions open doubts, with the changes that settle them
 * @property {AxisName[]} axes the names of the axes, which can be changed
 * @property {string} summary
 * @property {string[]} [assumptions] decisions of the layout that no check of the file confirms
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

/** The largest number of answers that are buttons; more are a list. */
const MOST_BUTTONS = 3;

/** Beginning of the reason why there is no table, while decisions are open. */
const FIRST = "First answer the open decisions above. Until then, there is no table:";

/** Where the button to confirm was: a selected answer needs no further confirmation. */
const CONFIRMED = "✓ Confirmed. Your selection is the answer.";

/**
 * The numbers of the decisions about a column or line, from 1.
 *
 * @param {Decision[]} decisions
 * @param {string} place
 */
export const numbersOfDecisions = (decisions, place) =>
  decisions.flatMap((decision, i) => (decision.place === place ? [i + 1] : []));

/**
 * A list of roles, with the numbers of the decisions about its column or line.
 *
 * @param {{ name: string, key: string, options: Options, role: string, decisions: Decision[], ids: string }} about
 * @param {(role: string) => void} change
 */
const roleList = ({ name, key, options, role, decisions, ids }, change) => {
  const numbers = numbersOfDecisions(decisions, key);
  const described = numbers.map((number) => `${ids}-${number}`).join(" ");
  const select = el("select", { "aria-label": name, "data-key": key, "aria-describedby": described || null });
  for (const [value, words] of options) select.append(el("option", { value }, words));
  select.value = role;
  select.addEventListener("change", () => change(select.value));
  const note = numbers.length
    ? el("span", { class: "sdc-doubt", "aria-hidden": true }, `⚠ Decision ${numbers.join(", ")}`)
    : null;
  return [select, note];
};

/**
 * A doubt with the changes that settle it, and a button that leads to its column or line.
 *
 * @param {Decision} decision @param {string} id @param {Send} send @param {(place: string) => void} lead
 */
const decisionItem = ({ text, place, several, open, answers }, id, send, lead) => {
  /** @param {Answer} answer */
  const give = ({ change }) => send({ type: "role", ...change });
  const confirmed = `${id}-confirmed`;
  const described = open ? id : `${id} ${confirmed}`;
  /** @type {HTMLElement[]} */
  let controls = answers.map((answer, k) =>
    el(
      "button",
      {
        type: "button",
        "data-key": `${id}-${k}`,
        "aria-pressed": answer.chosen ? "true" : "false",
        "aria-describedby": described,
        onclick: () => (answer.chosen ? send({ type: "role", confirmed: text }) : give(answer)),
      },
      answer.words,
    ),
  );
  if (several) {
    const columns = answers.filter(({ change }) => !("confirmed" in change));
    const boxes = columns.map((answer) => {
      const box = el("input", { type: "checkbox", "data-key": String(answer.change.name), checked: answer.chosen });
      box.addEventListener("change", () => give(answer));
      return el("label", { class: "sdc-choice" }, box, answer.words);
    });
    const by = el("fieldset", { class: "sdc-by", "aria-describedby": id }, el("legend", {}, several), ...boxes);
    controls = [by, ...controls.filter((_, k) => !columns.includes(answers[k]))];
  } else if (answers.length > MOST_BUTTONS) {
    const select = el("select", { "data-key": `${id}-list`, "aria-labelledby": id, "aria-describedby": described });
    answers.forEach(({ words }, k) => {
      select.append(el("option", { value: String(k) }, words));
    });
    select.value = String(answers.findIndex(({ chosen }) => chosen));
    select.addEventListener("change", () => give(answers[Number(select.value)]));
    // A list does not report that its present option was selected again.
    const confirm = el(
      "button",
      {
        type: "button",
        "data-key": `${id}-confirm`,
        "aria-describedby": id,
        onclick: () => send({ type: "role", confirmed: text }),
      },
      "Confirm this answer",
    );
    controls = open && answers.some(({ chosen }) => chosen) ? [select, confirm] : [select];
  }
  if (!open) controls.push(el("span", { class: "sdc-confirmed", id: confirmed }, CONFIRMED));
  const words = place.startsWith("row-") ? "Go to the line" : "Go to the column";
  const go = el(
    "button",
    { type: "button", class: "sdc-go", "aria-describedby": id, onclick: () => lead(place) },
    words,
  );
  return el("li", {}, el("span", { id }, text), ...controls, place ? go : null);
};

/** @param {Preview} preview @param {string} ids @param {Send} send */
const table = (preview, ids, send) => {
  const { columns, rows, column_options, row_options, decisions } = preview;
  const gap = cutBefore(columns);
  const cut = counted(preview.hidden_columns, "column", "columns");
  /** @param {any[]} cells @param {any} gapCell */
  const withGap = (cells, gapCell) => (gap < 0 ? cells : [...cells.slice(0, gap), gapCell, ...cells.slice(gap)]);
  const heads = columns.map(({ number, heading, role }) => {
    const name = `Role of column ${number}${heading ? ` (${heading})` : ""}`;
    const about = { name, key: `column-${number}`, options: column_options, role, decisions, ids };
    const change = (/** @type {string} */ chosen) => send({ type: "role", column: number, role: chosen });
    return el("th", { scope: "col", class: `sdc-role-${kindOfRole(role)}` }, ...roleList(about, change));
  });
  const corner = el("th", { scope: "col" }, "Line");
  const gapHead = el("th", { scope: "col", class: "sdc-cut" }, `… ${cut} not shown`);
  const body = rows.map(({ number, role, cells }) => {
    const about = { name: `Role of line ${number}`, key: `row-${number}`, options: row_options, role, decisions, ids };
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

/** The largest number of characters of the name of an axis. */
const MOST_OF_NAME = 100;

/**
 * A field for the name of an axis, which is empty if the file does not name the axis.
 *
 * @param {AxisName} first @param {Send} send
 */
const axisField = ({ name, label }, send) => {
  const [id, problemId] = [fresh("axis"), fresh("axis-problem")];
  const input = el("input", { id, type: "text", maxLength: MOST_OF_NAME, "data-key": name });
  const problem = el("span", { id: problemId, class: "sdc-wrong", "aria-live": "polite" });
  let shown = "";
  input.addEventListener("change", () => {
    shown = input.value;
    send({ type: "role", name, value: input.value });
  });
  const root = el("span", { class: "sdc-choice sdc-axis" }, el("label", { htmlFor: id }, label), input, problem);
  /** @param {AxisName} about */
  const update = (about) => {
    // A text that is being entered stays.
    if (document.activeElement !== input || input.value === shown) input.value = shown = about.axis;
    input.placeholder = about.axis ? "" : "not named in the file";
    problem.textContent = about.problem;
    if (about.problem) input.setAttribute("aria-describedby", problemId);
    else input.removeAttribute("aria-describedby");
    input.setAttribute("aria-invalid", String(about.problem !== ""));
  };
  return { root, update };
};

/**
 * The fields for the names of axes, which are replaced only if the table has other axes.
 *
 * @param {HTMLElement} place @param {Send} send
 */
const axisFields = (place, send) => {
  /** @type {{ update: (about: AxisName) => void }[]} */
  let fields = [];
  let axes = "";
  /** @param {AxisName[]} names */
  return (names) => {
    const now = JSON.stringify(names.map(({ name, label }) => [name, label]));
    if (now !== axes) {
      const made = names.map((about) => axisField(about, send));
      place.replaceChildren(...made.map(({ root }) => root));
      [fields, axes] = [made, now];
    }
    names.forEach((about, k) => {
      fields[k].update(about);
    });
  };
};

/**
 * The preview of a file, which shows a changed layout in place.
 *
 * @param {Send} send
 */
export const layoutPreview = (send) => {
  const title = el("p", { class: "sdc-preview-title" }, "How this file is read");
  const hint = "Check the role of each column and line, and the decisions below the lines.";
  const settings = el("div", { class: "sdc-choices" });
  const count = fresh("decisions");
  const ids = fresh("decision");
  const asked = el("p", { id: count, class: "sdc-preview-title", "aria-live": "polite" });
  const decisions = el("ol", { class: "sdc-decisions", "aria-labelledby": count });
  const lines = el("div", { class: "sdc-lines-frame", role: "region", tabIndex: 0, "aria-label": "Lines of the file" });
  const id = fresh("summary");
  const summary = el("p", { id, class: "sdc-summary", role: "status" });
  const assumed = fresh("assumed");
  const also = el("p", { id: assumed, class: "sdc-mute" });
  const assumptions = el("ul", { class: "sdc-mute", "aria-labelledby": assumed });
  const axes = el("div", { class: "sdc-choices" });
  const showAxes = axisFields(axes, send);
  const accepts = fresh("accepts");
  const open = el("p", { id: accepts, class: "sdc-mute" });
  const use = el(
    "button",
    { type: "button", class: "sdc-primary", "aria-describedby": `${id} ${accepts}` },
    "Use this table",
  );
  use.addEventListener("click", () => use.getAttribute("aria-disabled") !== "true" && send({ type: "use" }));
  const layout = el("button", { type: "button", onclick: () => send({ type: "layout" }) }, "Save layout (TOML)");
  const cancel = el("button", { type: "button", onclick: () => send({ type: "cancel" }) }, "Cancel");
  const root = el(
    "section",
    { class: "sdc-preview", "aria-label": "How this file is read", hidden: true },
    title,
    el("p", { class: "sdc-mute" }, hint),
    lines,
    asked,
    decisions,
    axes,
    settings,
    summary,
    also,
    assumptions,
    open,
    el("div", { class: "sdc-buttons" }, use, layout, cancel),
  );
  root.addEventListener("keydown", (event) => {
    // In a list, Escape closes the open list only.
    if (event.key !== "Escape" || event.target instanceof HTMLSelectElement) return;
    event.stopPropagation();
    send({ type: "cancel" });
  });
  /** @param {string} key @returns {HTMLElement | null} */
  const byKey = (key) => root.querySelector(`[data-key="${CSS.escape(key)}"]`);
  /** @param {string} place */
  const lead = (place) => {
    const list = byKey(place);
    list?.scrollIntoView({ block: "nearest", inline: "center" });
    list?.focus();
  };
  /** @param {Preview | Record<string, never>} preview */
  const show = (preview) => {
    const wasHidden = root.hidden;
    root.hidden = !preview.columns;
    if (!preview.columns) {
      for (const part of [settings, decisions, lines, assumptions]) part.replaceChildren();
      showAxes([]);
      return;
    }
    const shown = /** @type {Preview} */ (preview);
    const active = document.activeElement;
    const key = active && root.contains(active) ? active.getAttribute("data-key") : null;
    const [left, top] = [lines.scrollLeft, lines.scrollTop];
    settings.replaceChildren(...shown.settings.map((setting) => settingList(setting, send)));
    const n = shown.decisions.filter(isOpen).length;
    const all = n < shown.decisions.length ? ` of ${shown.decisions.length}` : "";
    asked.textContent = n ? counted(n, "open decision", "open decisions") + all : "No open decisions";
    decisions.replaceChildren(
      ...shown.decisions.map((decision, i) => decisionItem(decision, `${ids}-${i + 1}`, send, lead)),
    );
    lines.replaceChildren(table(shown, ids, send));
    [lines.scrollLeft, lines.scrollTop] = [left, top];
    // An open decision explains why there is no table yet, so that an error would contradict it.
    summary.textContent = shown.problem && n ? `${FIRST} ${shown.problem}` : shown.problem || shown.summary;
    summary.classList.toggle("sdc-wrong", shown.problem !== "" && !n);
    const sentences = shown.assumptions ?? [];
    also.textContent = sentences.length ? "The table also assumes:" : "";
    assumptions.replaceChildren(...sentences.map((sentence) => el("li", {}, sentence)));
    showAxes(shown.axes);
    const unanswered = counted(n, "open decision", "open decisions");
    const remaining = `"Use this table" takes and records the proposed answers to ${unanswered}.`;
    open.textContent = n && !shown.problem ? remaining : "";
    use.setAttribute("aria-disabled", String(shown.problem !== ""));
    layout.hidden = shown.problem !== "";
    if (key) (byKey(key) ?? decisions.querySelector("button, select, input") ?? use).focus();
    if (wasHidden) root.scrollIntoView?.({ block: "nearest" });
  };
  return { root, show };
};
