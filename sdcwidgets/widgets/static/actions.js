// @ts-check
// Buttons in a row; some bring a file, and one may start long work that shows how far it is.
import { el, save } from "./dom.js";

/** @param {{ model: import("./dom.js").Model, el: HTMLElement }} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc");
  const status = el("span", { role: "status", class: "sdc-mute" });
  const bar = el("progress", { "aria-label": "Done so far" });
  const buttons = model
    .get("labels")
    .map((label, index) =>
      el("button", { type: "button", onclick: () => model.send({ type: "press", index }) }, label),
    );
  root.append(el("div", { class: "sdc-actions-row" }, buttons, bar, status));
  const draw = () => {
    model.get("labels").forEach((label, index) => {
      buttons[index].textContent = label;
    });
    const [done, total] = model.get("progress");
    bar.hidden = !total;
    bar.max = total || 1;
    bar.value = done;
    status.textContent = model.get("status");
  };
  for (const name of ["labels", "progress", "status"]) model.on(`change:${name}`, draw);
  draw();
  const hear = (message, buffers) => {
    if (message.type === "file") save(message.name, buffers, message.kind);
  };
  model.on("msg:custom", hear);
  return () => model.off("msg:custom", hear);
};
export default { render };
