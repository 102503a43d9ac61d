// @ts-check
// The list of the parts of a served lesson, with the number of questions answered in each.
import { el } from "../widgets/dom.js";
import { answersOfPage } from "./answers.js";

/** @typedef {{ heading: HTMLElement, questions: Element[] }} LessonPart */

/** @param {HTMLElement} heading */
const title = (heading) => (heading.firstChild?.textContent ?? "").trim();

/** @returns {LessonPart[]} */
const parts = () => {
  const nodes = document.querySelectorAll("#rendered_cells .jp-MarkdownOutput h2, #rendered_cells [data-sdc-question]");
  /** @type {LessonPart[]} */
  const list = [];
  for (const node of nodes) {
    if (node instanceof HTMLElement && node.tagName === "H2") list.push({ heading: node, questions: [] });
    else list.at(-1)?.questions.push(node);
  }
  return list;
};

/** @param {Element} question */
const answered = (question) => question.getAttribute("data-sdc-question") === "answered";

const startAgain = () => {
  answersOfPage().clear();
  // The address without its part, so that the lesson begins at its top.
  location.replace(location.pathname + location.search);
};

/** @returns {HTMLElement} the button that deletes the answers after a question */
const startAgainButton = () => {
  const place = el("span", {});
  const close = () => {
    place.replaceChildren(again);
    again.focus();
  };
  const keep = el("button", { type: "button", onclick: close }, "Keep answers");
  const question = [
    el("span", { role: "status" }, "Delete all your answers of this lesson? "),
    el("button", { type: "button", onclick: startAgain }, "Delete answers"),
    " ",
    keep,
  ];
  const ask = () => {
    place.replaceChildren(...question);
    keep.focus();
  };
  const again = el("button", { type: "button", onclick: ask }, "Start again");
  place.append(again);
  return place;
};

/** @typedef {{ cell: number, top: number }} Place number of the cell at the top of the window, and its position */

const placeKey = () => `sdcwidgets:place:${location.pathname}`;

const cells = () => [...document.querySelectorAll("#rendered_cells :is(.cell-markdown, .cell-code)")];

/** Store the place of the lesson at the top of the window for a reload. */
const storePlace = () => {
  const cell = cells().findIndex((one) => one.checkVisibility() && one.getBoundingClientRect().bottom > 0);
  const place = cell < 0 || scrollY === 0 ? null : { cell, top: cells()[cell].getBoundingClientRect().top };
  try {
    sessionStorage.setItem(placeKey(), JSON.stringify(place));
  } catch {
    /* a browser that stores nothing opens the lesson at its top */
  }
};

/** @returns {Place | null} the place at which the lesson was left, if it is loaded again */
const placeBefore = () => {
  const [visit] = performance.getEntriesByType("navigation");
  if (visit instanceof PerformanceNavigationTiming && visit.type === "navigate") return null;
  try {
    return JSON.parse(sessionStorage.getItem(placeKey()) ?? "null");
  } catch {
    return null;
  }
};

// A lesson is hidden while it loads, so the browser cannot scroll by itself to the part in the address, or to the
// place before a reload. Each question has a module of its own, so the page notes that it was scrolled.
const scrollToPlace = () => {
  const { dataset } = document.body;
  const left = placeBefore();
  if (!dataset.sdcPlace) {
    dataset.sdcPlace = "followed";
    addEventListener("pagehide", storePlace);
    for (const act of left ? ["pointerdown", "keydown", "wheel"] : [])
      addEventListener(act, () => (dataset.sdcPlace = "reached"), { once: true, passive: true });
  }
  const cell = left ? cells()[left.cell] : document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (dataset.sdcPlace === "reached" || !cell?.checkVisibility()) return;
  dataset.sdcPlace = "reached";
  cell.scrollIntoView();
  if (left) scrollBy(0, -left.top);
};

let timer = 0;
const draw = () => {
  timer = 0;
  const list = parts();
  if (!list.some(({ questions }) => questions.length)) return;
  const items = list.map(({ heading, questions }) => {
    const number = questions.filter(answered).length;
    const progress = questions.length ? `${number} of ${questions.length} answered` : "";
    const done = questions.length > 0 && number === questions.length;
    // The browser cannot scroll to a part that is hidden until an earlier question was answered.
    const hidden = heading.closest(".sdc-later");
    const name = hidden ? title(heading) : el("a", { href: `#${heading.id}` }, title(heading));
    return el("li", {}, name, progress && el("small", { class: done ? "sdc-done" : "" }, progress));
  });
  const all = list.flatMap(({ questions }) => questions);
  const number = all.filter(answered).length;
  const old = document.getElementById("sdc-parts");
  const details = el("details", { open: old?.querySelector("details")?.open ?? false });
  const storage = el("p", {}, "Your answers are stored in this browser for 30 days. ", startAgainButton());
  details.append(
    el("summary", {}, `Parts of this lesson: ${number} of ${all.length} questions answered`),
    el("ol", {}, items),
  );
  // The button is beside the list, so that it is visible without opening the list.
  const stored = answersOfPage().read().at ? storage : "";
  const nav = el("nav", { id: "sdc-parts", "aria-label": "Parts of this lesson" }, details, stored);
  if (old) old.replaceWith(nav);
  else document.querySelector("#rendered_cells .cell-markdown")?.after(nav);
  const open = list.findIndex(({ questions }) => !questions.every(answered));
  const next = open < 0 ? null : list[open].heading;
  answersOfPage().setNext(next && { text: title(next), number: open + 1, id: next.id });
  scrollToPlace();
};

/** Draw the list after all questions that are drawn now. */
export const drawParts = () => {
  if (document.body.dataset.sdcwidgets !== "lesson" || timer) return;
  timer = window.setTimeout(draw, 50);
};
