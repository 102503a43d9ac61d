// @ts-check
// The bar of a page that the story opened (`?story=2`): which step it is, what to do, and the way on and back.
import { el } from "./dom.js";
import { lead } from "./lead.js";

/**
 * Ask for the step of the story that the address names, and show it.
 * @param {import("./dom.js").Model<any>} model
 * @param {HTMLElement} bar
 * @param {(link: string) => string} address where a link of the story leads from this page
 */
export const telling = (model, bar, address) => {
  const step = Number(new URLSearchParams(location.search).get("story"));
  if (!step) return () => {};
  /** @param {import("./dom.js").Message} message */
  const hear = (message) => {
    if (message.type !== "story") return;
    const go = () => lead(bar, message.place);
    const show = el("button", { type: "button", onclick: go }, "Show control");
    // A way leads to another page, or to a step that is told on this one.
    const ways = message.ways.map(
      (/** @type {[text: string, to: string | number, kind?: string]} */ [text, to, kind]) =>
        typeof to === "number"
          ? el("button", { type: "button", onclick: () => turn(to) }, text)
          : el("a", { href: address(to), class: kind ?? "" }, text),
    );
    bar.replaceChildren(
      el("p", {}, el("b", {}, message.told), " ", message.task),
      el("div", {}, message.place ? show : null, ways),
    );
    // A page shows one primary button: its own one if the task needs it, or else the way to the next step.
    bar.classList.toggle("sdc-story-leads", !message.uses_main_button);
    if (!message.uses_main_button) bar.querySelector("div > :last-child")?.classList.add("sdc-primary");
    bar.hidden = false;
    if (turned) bar.focus();
  };
  let turned = false;
  /** @param {number} to */
  const turn = (to) => {
    turned = true;
    model.send({ type: "story", step: to });
  };
  model.on("msg:custom", hear);
  model.send({ type: "story", step });
  return () => model.off("msg:custom", hear);
};
