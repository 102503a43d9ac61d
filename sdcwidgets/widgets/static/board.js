// @ts-check
// A table of numbers to point at. Nodes are kept while labels stay, so that the focus does too.
import { el, together } from "./dom.js";
import { fitted } from "./grid_labels.js";

// On a brief board a longer label is cut in its middle, so that the numbers are seen without scrolling sideways.
const LETTERS = { row: 20, col: 14 };
const MANY = 9;

/** Labels as they are shown; the short name of a total at their end has no part in what the others share. */
const cut = (labels, most) => {
  const own = labels.at(-1) === "Total" ? labels.slice(0, -1) : labels;
  if (!own.length) return { texts: labels, begin: "" };
  const { texts, begin } = fitted(own, most);
  return { texts: [...texts, ...labels.slice(own.length)], begin };
};

/** @param {{ model: import("./dom.js").Model, el: HTMLElement }} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-board");
  const scroller = el("div", { class: "sdc-scroll" });
  const title = el("h3", { class: "sdc-board-title" });
  const note = el("p", { class: "sdc-mute" });
  root.append(title, note, scroller);
  let built = "";
  /** @type {any[][]} what stands at each place */
  let cells = [];

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
    root.classList.toggle("sdc-board-many", brief && frame.columns.length > MANY);
    const rows = cut(frame.rows, brief ? LETTERS.row : Infinity);
    const columns = cut(frame.columns, brief ? LETTERS.col : Infinity);
    const head = (label, scope, text) =>
      text === label
        ? el("th", { scope, title: label.length > 14 && label }, label)
        : el(
            "th",
            { scope, title: label },
            el("span", { "aria-hidden": true }, text),
            el("span", { class: "sdc-hidden" }, label),
          );
    cells = frame.rows.map((_, r) =>
      frame.columns.map((_, c) => {
        const parts = {
          badge: el("span", { class: "sdc-badge" }),
          text: el("span", { class: "sdc-number" }),
          bar: el("span", { class: "sdc-track", "aria-hidden": "true" }, el("i")),
          small: el("span"),
          aside: el("span"),
          fine: el("span", { class: "sdc-fine" }),
        };
        const still = spots[r][c].pressed === null;
        parts.fine.append(parts.small, parts.aside);
        const inside = [el("span", { class: "sdc-line" }, parts.badge, parts.text), parts.bar, parts.fine];
        const node = still
          ? el("div", {}, ...inside)
          : el(
              "button",
              { type: "button", tabIndex: -1, onclick: () => model.send({ type: "press", row: r, column: c }) },
              ...inside,
            );
        return { ...parts, node, still, cell: el("td", {}, node) };
      }),
    );
    scroller.replaceChildren(
      el(
        "table",
        {},
        el("caption", { class: "sdc-hidden" }, model.get("title")),
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el(
              "td",
              { class: "sdc-mute" },
              frame.row_name,
              rows.begin ? el("small", {}, `all begin with ${rows.begin}`) : null,
            ),
            frame.columns.map((label, c) => head(label, "col", columns.texts[c])),
          ),
        ),
        el(
          "tbody",
          {},
          frame.rows.map((label, r) =>
            el(
              "tr",
              {},
              head(label, "row", rows.texts[r]),
              cells[r].map((one) => one.cell),
            ),
          ),
        ),
      ),
    );
    const stop = (refocus && cells[refocus[0]]?.[refocus[1]]) || cells.flat().find((one) => !one.still);
    if (stop && !stop.still) stop.node.tabIndex = 0;
    if (refocus && stop) stop.node.focus();
  };
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
    title.hidden = !model.get("shown");
    note.textContent = frame.note;
    note.hidden = !frame.note;
    spots.forEach((row, r) =>
      row.forEach((spot, c) => {
        const one = cells[r][c];
        one.badge.textContent = spot.badge;
        one.badge.hidden = !spot.badge;
        one.text.textContent = spot.text;
        one.small.textContent = spot.small;
        one.aside.textContent = spot.aside;
        one.aside.hidden = !spot.aside;
        one.fine.hidden = !spot.small && !spot.aside;
        one.bar.hidden = !spot.bar;
        if (spot.bar) {
          const [from, to] = spot.bar;
          one.bar.firstChild.style.left = `${from * 100}%`;
          one.bar.firstChild.style.width = `${(to - from) * 100}%`;
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
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
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
  for (const name of ["frame", "spots", "title", "shown"]) model.on(`change:${name}`, later);
  draw();
};
export default { render };
