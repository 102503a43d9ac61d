// @ts-check
// People as dots in their cells. Dots are kept from one state to the next, so that one that moves is seen to move.
import { el, together } from "./dom.js";

/** @typedef {[key: number, who: number, came: boolean, title: string]} Dot */
/** @typedef {{ name: string, words: string, dots: Dot[] }} Cell */

/** @param {import("./dom.js").Context<{ label: string, cells: Cell[], numbered: boolean, turn: number }>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-people");
  const row = el("ul", { "aria-label": model.get("label") });
  root.append(row);
  /** @type {Map<number, HTMLElement>} */
  const dots = new Map();
  /** @type {ReturnType<typeof make>[]} */
  let cells = [];
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const make = () => {
    const [name, words, place] = [
      el("span", { class: "sdc-name", "aria-hidden": "true" }),
      el("span", { class: "sdc-hidden" }),
      el("span", { class: "sdc-dots", "aria-hidden": "true" }),
    ];
    return { name, words, place, node: el("li", {}, name, words, place) };
  };
  const draw = () => {
    const now = model.get("cells");
    const numbered = model.get("numbered");
    root.classList.toggle("sdc-small-dots", !numbered);
    row.style.setProperty("--cells", String(now.length));
    if (cells.length !== now.length) {
      cells = now.map(make);
      row.replaceChildren(...cells.map((cell) => cell.node));
      dots.clear();
    }
    const moving = numbered && !calm.matches;
    const from = new Map(moving ? [...dots].map(([key, dot]) => [key, dot.getBoundingClientRect()]) : []);
    const kept = new Set();
    now.forEach((cell, index) => {
      const { name, words, place } = cells[index];
      if (name.textContent !== cell.name) name.textContent = cell.name;
      if (words.textContent !== cell.words) words.textContent = cell.words;
      place.replaceChildren(
        ...cell.dots.map(([key, who, came, title]) => {
          const dot = dots.get(key) || el("i");
          dots.set(key, dot);
          kept.add(key);
          dot.className = came ? "sdc-moved" : "";
          dot.title = title;
          dot.textContent = numbered ? String(who) : "";
          return dot;
        }),
      );
    });
    for (const key of dots.keys()) if (!kept.has(key)) dots.delete(key);
    for (const [key, box] of from) {
      const dot = dots.get(key);
      if (!dot || !box.width) continue;
      const to = dot.getBoundingClientRect();
      const [dx, dy] = [box.left - to.left, box.top - to.top];
      if (dx || dy)
        dot.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], {
          duration: 200,
          easing: "ease-out",
        });
    }
  };
  model.on("change:turn", together(draw));
  draw();
};
export default { render };
