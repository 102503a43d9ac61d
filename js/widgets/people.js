// @ts-check
// People as dots in their cells. Dots are kept from one state to the next, so that one that moves is seen to move.
import { el, together } from "./dom.js";

/** @typedef {[key: number, who: number, came: boolean, title: string]} Dot */
/** @typedef {{ name: string, words: string, dots: Dot[] }} Cell */

const SVG = "http://www.w3.org/2000/svg";
/** How high the threads between two rows are, in pixels. */
const HIGH = 72;

/** @param {import("./dom.js").Context<{ threads: boolean, label: string, cells: Cell[], numbered: boolean, turn: number }>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-people");
  const row = el("ul", { "aria-label": model.get("label") });
  // A thread leads from where somebody is in truth, in the row above, to where they may have gone.
  const threads = document.createElementNS(SVG, "svg");
  threads.setAttribute("aria-hidden", "true");
  threads.setAttribute("height", String(HIGH));
  if (model.get("threads")) root.append(threads);
  root.append(row);
  /** @type {Map<number, HTMLElement>} */
  const dots = new Map();
  /** @type {ReturnType<typeof make>[]} */
  let cells = [];
  const spin = () => {
    const box = threads.getBoundingClientRect();
    if (!model.get("threads") || !box.width) return;
    const scale = threads.clientWidth / box.width || 1;
    const above = root.closest(".sdc-card")?.querySelectorAll(".sdc-people i[data-dot]") ?? [];
    const truth = new Map(
      [...above]
        .filter((dot) => !root.contains(dot))
        .map((dot) => [Number(/** @type {HTMLElement} */ (dot).dataset.dot), dot]),
    );
    /** @param {Element} dot */
    const across = (dot) => {
      const { left, width } = dot.getBoundingClientRect();
      // A dot that is still moving is measured at the place where its movement ends.
      const moved = new DOMMatrix(getComputedStyle(dot).transform).m41;
      return (left + width / 2 - box.left) * scale - moved;
    };
    const order = [...dots]
      .filter(([key]) => truth.has(key))
      .sort((one, other) => Number(one[1].className !== "") - Number(other[1].className !== ""));
    threads.replaceChildren(
      ...order.map(([key, dot]) => {
        const [from, to] = [across(/** @type {Element} */ (truth.get(key))), across(dot)];
        const line = document.createElementNS(SVG, "path");
        const head = dot.className ? ` M${to - 5} ${HIGH - 9} L${to} ${HIGH - 1} L${to + 5} ${HIGH - 9}` : "";
        line.setAttribute("d", `M${from} 0 C${from} ${HIGH / 2} ${to} ${HIGH / 2} ${to} ${HIGH - 1}${head}`);
        line.setAttribute("class", dot.className ? "sdc-thread-moved" : "");
        return line;
      }),
    );
  };
  const observer = new ResizeObserver(() => spin());
  observer.observe(root);
  // The row above is another widget, which may draw its dots later than this one.
  const later = () => requestAnimationFrame(spin);
  document.addEventListener("sdc:people", later);
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
    threads.toggleAttribute("hidden", !numbered);
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
          dot.dataset.dot = String(key);
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
    document.dispatchEvent(new CustomEvent("sdc:people"));
  };
  model.on("change:turn", together(draw));
  draw();
  return () => {
    observer.disconnect();
    document.removeEventListener("sdc:people", later);
  };
};
export default { render };
