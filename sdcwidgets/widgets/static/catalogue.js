// @ts-check
// A list of things to open: native radio buttons, so that arrow keys and screen readers work as they should.
import { el, fresh } from "./dom.js";

/**
 * @typedef {object} Traits
 * @property {string} label
 * @property {[heading: string, items: [name: string, title: string][]][]} groups
 * @property {string} chosen
 */
/** @param {import("./dom.js").Context<Traits>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-catalogue");
  const group = fresh("catalogue");
  /** @type {HTMLInputElement[]} */
  const inputs = [];
  /** @param {[name: string, title: string]} item */
  const item = ([name, title]) => {
    const input = el("input", {
      type: "radio",
      name: group,
      value: name,
      onchange: () => model.send({ type: "choose", name }),
    });
    inputs.push(input);
    return el("label", {}, input, el("span", {}, title));
  };
  root.append(
    el(
      "fieldset",
      {},
      el("legend", { class: "sdc-hidden" }, model.get("label")),
      model.get("groups").map(([words, items]) => {
        const heading = el("h3", { id: fresh("group") }, words);
        return el("div", { role: "group", "aria-labelledby": heading.id }, heading, items.map(item));
      }),
    ),
  );
  const sync = () => {
    for (const input of inputs) input.checked = input.value === model.get("chosen");
  };
  model.on("change:chosen", sync);
  sync();
};
export default { render };
