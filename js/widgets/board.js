// @ts-check
// A table of numbers to point at. Nodes are kept while labels stay, so that the focus does too.
import { el, together } from "./dom.js";
import { cornered, fitted, heading } from "./grid_labels.js";

// On a brief board a longer label is cut in its middle, so that the numbers are seen without scrolling sideways; many
// columns have room for fewer letters.
const LETTERS = { row: 20, col: 14, many: 12 };
const MANY = 9;

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** @typedef {{ row_name: string, rows: string[], columns: string[], note: string }} Frame */
/**
 * What stands at one place.
 *
 * @typedef {object} Spot
 * @property {string} text
 * @property {string} badge
 * @property {string} small
 * @property {string} end
 * @property {string} name
 * @property {string} look
 * @property {[from: number, to: number] | null} bar
 * @property {boolean | null} pressed null: it cannot be
 */

/**
 * Labels as they are shown; the short name of a total at their end has no part in what the others share.
 *
 * @param {string[]} labels
 * @param {number} most letters
 */
const cut = (labels, most) => {
  const own = labels.at(-1) === "Total" ? labels.slice(0, -1) : labels;
  if (!own.length) return { texts: labels, begin: "" };
  const { texts, begin } = fitted(own, most);
  return { texts: [...texts, ...labels.slice(own.length)], begin };
};

/**
 * @typedef {object} Traits
 * @property {string} title
 * @property {boolean} show_title
 * @property {boolean} brief
 * @property {Frame} frame
 * @property {Spot[][]} spots
 */
/** @param {import("./dom.js").Context<Traits>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-board");
  const scroller = el("div", { class: "sdc-scroll" });
  const title = el("h3", { class: "sdc-board-title" });
  const note = el("p", { class: "sdc-mute" });
  root.append(title, note, scroller);
  let built = "";
  /** @type {ReturnType<typeof make>[][]} */
  let cells = [];

  /** @param {Spot} spot @param {number} row @param {number} column */
  const make = (spot, row, column) => {
    const inner = el("i");
    const parts = {
      badge: el("span", { class: "sdc-badge" }),
      text: el("span", { class: "sdc-number" }),
      bar: el("span", { class: "sdc-track", "aria-hidden": "true" }, inner),
      small: el("span"),
      end: el("span"),
      fine: el("span", { class: "sdc-fine" }),
    };
    const still = spot.pressed === null;
    parts.fine.append(parts.small, " ", parts.end);
    const inside = [el("span", { class: "sdc-line" }, parts.badge, " ", parts.text), " ", parts.bar, parts.fine];
    const press = () => model.send({ type: "press", row, column });
    const node = still
      ? el("div", {}, ...inside)
      : el("button", { type: "button", tabIndex: -1, onclick: press }, ...inside);
    return { ...parts, inner, node, still, cell: el("td", {}, node) };
  };
  /** @param {Frame} frame @param {Spot[][]} spots */
  const build = (frame, spots) => {
    const key = JSON.stringify([
      frame,
      model.get("title"),
      spots.map((row) => row.map((spot) => spot.pressed === null)),
    ]);
    if (key === built) return;
    built = key;
    const refocus = scroller.contains(document.activeElement) && place(document.activeElement);
    const brief = model.get("brief");
    const many = brief && frame.columns.length > MANY;
    root.classList.toggle("sdc-board-many", many);
    const rows = cut(frame.rows, brief ? LETTERS.row : Infinity);
    const columns = cut(frame.columns, brief ? (many ? LETTERS.many : LETTERS.col) : Infinity);
    cells = spots.map((row, r) => row.map((spot, c) => make(spot, r, c)));
    scroller.replaceChildren(
      el(
        "table",
        { style: `--columns: ${frame.columns.length}` },
        el("caption", { class: "sdc-hidden" }, model.get("title")),
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            cornered(frame.row_name, rows.begin),
            frame.columns.map((label, c) => heading(label, "col", columns.texts[c])),
          ),
        ),
        el(
          "tbody",
          {},
          frame.rows.map((label, r) =>
            el(
              "tr",
              {},
              heading(label, "row", rows.texts[r]),
              cells[r].map((one) => one.cell),
            ),
          ),
        ),
      ),
    );
    const stop = (refocus && cells[refocus[0]]?.[refocus[1]]) || cells.flat().find((one) => !one.still);
    if (stop && !stop.still) stop.node.tabIndex = 0;
    // A board without buttons can be scrolled by keyboard only if its scroller can have the focus.
    if (!stop) {
      scroller.tabIndex = 0;
      scroller.setAttribute("role", "region");
      scroller.setAttribute("aria-label", `Table: ${model.get("title")}`);
    } else for (const name of ["tabindex", "role", "aria-label"]) scroller.removeAttribute(name);
    if (refocus && stop) stop.node.focus();
  };
  /** @param {EventTarget | null} node */
  const place = (node) => {
    for (let r = 0; r < cells.length; r++) {
      const c = cells[r].findIndex((one) => one.node === node);
      if (c >= 0) return [r, c];
    }
    return null;
  };
  const draw = () => {
    const [frame, spots] = [model.get("frame"), model.get("spots")];
    if (!frame.rows) return;
    build(frame, spots);
    title.textContent = model.get("title");
    title.hidden = !model.get("show_title");
    note.textContent = frame.note;
    note.hidden = !frame.note;
    spots.forEach((row, r) =>
      row.forEach((spot, c) => {
        const one = cells[r][c];
        one.badge.textContent = spot.badge;
        one.badge.hidden = !spot.badge;
        one.text.textContent = spot.text;
        one.small.textContent = spot.small;
        one.end.textContent = spot.end;
        one.end.hidden = !spot.end;
        one.fine.hidden = !spot.small && !spot.end;
        one.bar.hidden = !spot.bar;
        if (spot.bar) {
          const [from, to] = spot.bar;
          one.inner.style.left = `${from * 100}%`;
          one.inner.style.width = `${(to - from) * 100}%`;
          one.bar.classList.toggle("sdc-dot", to === from);
        }
        one.cell.className = spot.look
          .split(" ")
          .filter(Boolean)
          .map((name) => `sdc-is-${name}`)
          .join(" ");
        if (one.still) {
          if (spot.name) one.node.title = spot.name;
        } else {
          one.node.setAttribute("aria-label", spot.name || spot.text);
          one.node.setAttribute("aria-pressed", String(spot.pressed));
        }
      }),
    );
  };
  scroller.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const from = place(event.target);
    if (!step || !from) return;
    event.preventDefault();
    let [r, c] = [from[0] + step[0], from[1] + step[1]];
    while (cells[r]?.[c]?.still) [r, c] = [r + step[0], c + step[1]];
    if (!cells[r]?.[c]) return;
    for (const one of cells.flat()) if (!one.still) one.node.tabIndex = -1;
    cells[r][c].node.tabIndex = 0;
    cells[r][c].node.focus();
  });
  const later = together(draw);
  for (const name of ["frame", "spots", "title", "show_title"]) model.on(`change:${name}`, later);
  draw();
};
export default { render };
