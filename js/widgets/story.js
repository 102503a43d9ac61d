// @ts-check
// The bar of a page that the story opened (`?story=2`): which step it is, what to do, and the way on and back.
import { el } from "./dom.js";
import { lead } from "./lead.js";

/** Name of the stored progress, which the landing page reads. */
const PROGRESS = "sdc:tutorial";

/** Store the step for the landing page. @param {number} step */
const storeStep = (step) => {
  if (!("sdcwidgets" in document.body.dataset)) return;
  try {
    const stored = JSON.parse(localStorage.getItem(PROGRESS) ?? "{}");
    localStorage.setItem(PROGRESS, JSON.stringify({ ...stored, at: Date.now(), step }));
  } catch {
    /* without storage the landing page begins with the first step */
  }
};

/**
 * Ask for the step of the story that the address names, and show it.
 * @param {import("./dom.js").Model<any>} model
 * @param {HTMLElement} bar
 * @param {(link: string) => string} address where a link of the story leads from this page
 */
export const telling = (model, bar, address) => {
  const opened = Number(new URLSearchParams(location.search).get("story"));
  if (!opened) return () => {};
  // A step that was opened on this page is not in its address, because the state of the page is stored by its address.
  const step = history.state?.story ?? opened;
  /** @param {import("./dom.js").Message} message */
  const hear = (message) => {
    if (message.type !== "story") return;
    const go = () => lead(bar, message.place);
    const show = el("button", { type: "button", onclick: go }, "Show control");
    // A way leads to another page, or to a step that is told on this one.
    // Lessons are pages of the project's own server.
    const reachable = message.ways.filter(
      (/** @type {string[]} */ [, , kind]) => kind !== "served" || "sdcwidgets" in document.body.dataset,
    );
    const ways = reachable.map((/** @type {[text: string, to: string | number]} */ [text, to]) =>
      typeof to === "number"
        ? el("button", { type: "button", onclick: () => turn(to) }, text)
        : el("a", { href: address(to) }, text),
    );
    bar.replaceChildren(
      el("p", {}, el("b", {}, message.told), " ", message.task),
      el("div", {}, message.place ? show : null, ways),
    );
    // A page shows one primary button. During a task with the main button of the page, this is the main button until
    // the answer of the page is yes (see page.css); otherwise it is the way to the next step.
    bar.dataset.mainButton = message.main_button;
    if (message.main_button !== "task") bar.querySelector("div > :last-child")?.classList.add("sdc-primary");
    bar.hidden = false;
    if (turned) bar.focus();
  };
  let turned = false;
  /** @param {number} to */
  const turn = (to) => {
    turned = true;
    history.replaceState({ story: to }, "");
    storeStep(to);
    model.send({ type: "story", step: to });
  };
  model.on("msg:custom", hear);
  model.send({ type: "story", step });
  storeStep(step);
  return () => model.off("msg:custom", hear);
};
