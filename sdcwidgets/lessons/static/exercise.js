// @ts-check
// A question and its checked answer. The right answer stays in the kernel.
import { el, fresh } from "../../widgets/static/dom.js";

/** @param {{ model: import("../../widgets/static/dom.js").Model, el: HTMLElement }} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-exercise");
  const options = model.get("options");
  const id = fresh("question");
  const group = fresh("answer");
  const field = el("input", { type: "text", "aria-labelledby": id, autocomplete: "off", inputMode: "decimal" });
  const radios = options.map((_, index) => el("input", { type: "radio", name: group, value: String(index) }));
  const entry = options.length
    ? el(
        "fieldset",
        { "aria-labelledby": id },
        options.map((words, index) => el("label", {}, radios[index], " ", words)),
      )
    : field;
  const feedback = el("p", { class: "sdc-feedback", role: "status" });
  const answer = () => (options.length ? (radios.find((radio) => radio.checked)?.value ?? "") : field.value);
  const form = el(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        model.send({ type: "answer", answer: answer() });
      },
    },
    entry,
    el("button", { type: "submit", class: "sdc-primary" }, "Check"),
  );
  root.append(el("p", { id }, model.get("question")), form, feedback);
  const draw = () => {
    feedback.textContent = model.get("feedback");
    const verdict = model.get("solved") ? "sdc-right" : "sdc-not-yet";
    feedback.className = `sdc-feedback ${model.get("feedback") ? verdict : ""}`;
  };
  model.on("change:feedback", draw);
  model.on("change:solved", draw);
  draw();
};
export default { render };
