// @ts-check
// Buttons in a row; some bring a file, and one may start long work that shows how far it is.
import { el, save } from "./dom.js";

/**
 * @typedef {object} Traits
 * @property {string[]} labels
 * @property {number} opening
 * @property {number} limit
 * @property {[done: number, total: number]} progress
 * @property {string} counted
 * @property {string} status
 * @property {boolean | null} unfolded
 */
/** @param {import("./dom.js").Context<Traits>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc");
  const status = el("span", { role: "status", class: "sdc-mute" });
  const bar = el("progress", { "aria-label": "Progress" });
  // Not announced each time: the bar says the same to who asks it.
  const count = el("span", { class: "sdc-mute", "aria-hidden": "true" });
  const labels = model.get("labels");
  const plain = labels.length - model.get("opening");
  const buttons = labels.map((label, index) => {
    const press = () => (index < plain ? model.send({ type: "press", index }) : files[index - plain].click());
    return el("button", { type: "button", onclick: press }, label);
  });
  const files = labels.slice(plain).map((label, place) => {
    const read = async () => {
      const file = input.files?.[0];
      if (!file) return;
      const most = model.get("limit");
      if (file.size > most) {
        status.textContent = `${file.name} is larger than ${most / 1e6} MB. Choose a smaller file.`;
        return;
      }
      const content = await file.arrayBuffer();
      input.value = "";
      model.send({ type: "opened", index: plain + place, name: file.name }, undefined, [content]);
    };
    const hidden = { class: "sdc-hidden", tabIndex: -1, "aria-hidden": true, "aria-label": label };
    const input = el("input", { type: "file", ...hidden, accept: ".csv,.txt,.toml", onchange: read });
    return input;
  });
  root.append(el("div", { class: "sdc-actions-row" }, buttons, files, bar, count, status));
  const draw = () => {
    model.get("labels").forEach((label, index) => {
      buttons[index].textContent = label;
    });
    const unfolded = model.get("unfolded");
    if (unfolded !== null) buttons[0].setAttribute("aria-expanded", String(unfolded));
    const [done, total] = model.get("progress");
    bar.hidden = !total;
    bar.max = total || 1;
    bar.value = done;
    status.textContent = model.get("status");
    count.textContent = total ? `${done} of ${total} ${model.get("counted")}` : "";
  };
  for (const name of ["labels", "progress", "counted", "status", "unfolded"]) model.on(`change:${name}`, draw);
  draw();
  /** @param {import("./dom.js").Message} message @param {BlobPart[]} buffers */
  const hear = (message, buffers) => {
    if (message.type === "file") save(message.name, buffers, message.kind);
  };
  model.on("msg:custom", hear);
  return () => model.off("msg:custom", hear);
};
export default { render };
