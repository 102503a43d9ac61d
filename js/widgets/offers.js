// @ts-check
// Offers in cards, each with a button that takes it.
import { el, together } from "./dom.js";

/** @typedef {{ title: string, name: string, figures: string, against: string, promise: string }} Offer */
/** @param {import("./dom.js").Context<{ label: string, offers: Offer[] }>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-offers");
  const list = el("ul", { "aria-label": model.get("label") });
  root.append(list);
  const draw = () =>
    list.replaceChildren(
      ...model.get("offers").map(({ title, name, figures, against, promise }, place) =>
        el(
          "li",
          {},
          el("b", {}, title),
          el("span", {}, name),
          el("span", { class: "sdc-mute" }, figures),
          against ? el("span", { class: "sdc-against" }, against) : null,
          el("span", { class: "sdc-mute" }, promise),
          el(
            "button",
            {
              type: "button",
              "aria-label": `Use these settings: ${name}`,
              onclick: () => model.send({ type: "take", place }),
            },
            "Use these settings",
          ),
        ),
      ),
    );
  model.on("change:offers", together(draw));
  draw();
};
export default { render };
