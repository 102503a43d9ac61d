// @ts-check
// The way through a page: stages that lead to their cards, the one where the page is, and what comes next.
import { el, together } from "./dom.js";
import { lead } from "./lead.js";

const SAID = { done: "done", now: "you are here", stop: "stopped here", todo: "to come" };

/** @typedef {{ title: string, steps: string, told: string, state: keyof typeof SAID, place: string }} Stage */

/** @param {import("./dom.js").Context<{ label: string, stages: Stage[], ahead: string, goal: string }>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-path");
  const list = el("ol", { "aria-label": model.get("label") });
  const ahead = el("button", { type: "button", class: "sdc-primary" });
  root.append(list, ahead);
  ahead.addEventListener("click", () =>
    model.get("goal") ? lead(root, model.get("goal")) : model.send({ type: "next" }),
  );
  /** @param {number} index */
  const make = (index) => {
    const title = el("b");
    const steps = el("span", { class: "sdc-path-steps" });
    const told = el("span", { class: "sdc-path-told" });
    const button = el(
      "button",
      { type: "button", onclick: () => lead(root, model.get("stages")[index].place) },
      title,
      steps,
      told,
    );
    return { title, steps, told, button, node: el("li", {}, button) };
  };
  /** @type {ReturnType<typeof make>[]} */
  let items = [];
  const draw = () => {
    const stages = model.get("stages");
    if (items.length !== stages.length) {
      items = stages.map((_, index) => make(index));
      list.replaceChildren(...items.map((item) => item.node));
    }
    stages.forEach((stage, index) => {
      const { title, steps, told, button, node } = items[index];
      title.textContent = stage.title;
      steps.textContent = stage.steps;
      told.textContent = stage.told;
      node.className = `sdc-path-${stage.state}`;
      button.setAttribute("aria-label", `${stage.title}, ${stage.steps}, ${SAID[stage.state]}: ${stage.told}`);
      if (stage.state === "now" || stage.state === "stop") button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    ahead.textContent = model.get("ahead");
    ahead.hidden = !model.get("ahead");
  };
  model.on("change:stages", together(draw));
  model.on("change:ahead", together(draw));
  draw();
};
export default { render };
