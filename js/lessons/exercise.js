// @ts-check
// A question and its checked answer. The right answer stays in the kernel.
import { el, fresh, near } from "../widgets/dom.js";
import { answersOfPage, questionKey } from "./answers.js";
import { drawParts } from "./parts.js";
import { storeState } from "./stored_state.js";

// On a served lesson everything after the first open question waits until that was tried: the answer often stands there,
// and later questions ask about what is not yet read. On paper all of it stands.
// A cell says itself that its question was not tried: each question has a module of its own.
const OPEN = "sdc-open";
const fold = () => {
  let later = false;
  for (const cell of document.querySelectorAll(".cell-markdown, .cell-code")) {
    cell.classList.toggle("sdc-later", later);
    later ||= cell.classList.contains(OPEN);
  }
};
/** @param {HTMLElement} root @param {() => boolean} tried */
const wait = (root, tried) => {
  if (document.body.dataset.sdcwidgets !== "lesson" || tried()) return () => {};
  /** @type {Element | null} */
  let cell = null;
  const skip = el("button", { type: "button", class: "sdc-link" }, "continue without an answer");
  const ways = el("p", { class: "sdc-mute" }, "Answer the question to show the next part, or ", skip);
  const reveal = () => {
    cell?.classList.remove(OPEN);
    ways.remove();
    fold();
  };
  skip.addEventListener("click", () => {
    reveal();
    const next = /** @type {HTMLElement | null | undefined} */ (cell?.nextElementSibling);
    if (!next) return;
    next.tabIndex = -1; // the button that had the focus is gone
    next.focus({ preventScroll: true });
  });
  // The page puts a widget in its place after it is drawn.
  requestAnimationFrame(() => {
    cell = root.closest(".cell-code");
    if (!cell || tried()) return;
    cell.classList.add(OPEN);
    root.append(ways);
    fold();
  });
  return reveal;
};

/**
 * @typedef {object} Traits
 * @property {string} question
 * @property {string[]} options
 * @property {string} feedback
 * @property {boolean} solved
 * @property {boolean} typed whether an answer is typed or chosen here
 * @property {boolean} is_attempt whether the feedback is on an answer that could be checked
 * @property {string} mark what was tried, where other numbers can be drawn
 * @property {string} stored_name name of an exercise with drawn numbers
 * @property {{ answer?: string }} stored_state
 */
/** @param {import("../widgets/dom.js").Context<Traits>} context */
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
  // A restored answer is not announced; a screen reader would read out all answers of a lesson.
  const feedback = el("p", { class: "sdc-feedback" });
  const answer = () => (options.length ? (radios.find((radio) => radio.checked)?.value ?? "") : field.value);
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    feedback.setAttribute("role", "status");
    model.send({ type: "answer", answer: answer() });
  };
  /** @param {string} text */
  const restore = (text) => {
    if (!model.get("typed")) return;
    field.value = text;
    for (const radio of radios) radio.checked = radio.value === text;
    model.send({ type: "answer", answer: text });
  };
  // JupyterLab takes Enter for a command of its own, so a form does not hear of it there.
  /** @param {KeyboardEvent} event */
  const enter = (event) => {
    if (event.key !== "Enter" || event.isComposing || near(event, "[type=submit]")) return;
    event.stopPropagation();
    submit(event);
  };
  const again = el("button", { type: "button", onclick: () => model.send({ type: "again" }) }, "New numbers");
  const mark = el("span", { class: "sdc-mute" });
  const check = el("button", { type: "submit", class: "sdc-primary" }, "Check");
  if (!model.get("typed")) feedback.setAttribute("role", "status");
  const form = el("form", { onsubmit: submit, onkeydown: enter });
  if (model.get("typed")) form.append(entry, check);
  if (model.get("mark")) form.append(again, mark);
  const question = el("p", { id });
  if (model.get("mark")) question.setAttribute("aria-live", "polite"); // other numbers are said
  root.append(question, form, feedback);
  const draw = () => {
    if (question.textContent !== model.get("question")) field.value = "";
    question.textContent = model.get("question");
    mark.textContent = model.get("mark");
    feedback.textContent = model.get("feedback");
    const verdict = model.get("solved") ? "sdc-right" : "sdc-not-yet";
    feedback.className = `sdc-feedback ${model.get("feedback") && model.get("is_attempt") ? verdict : ""}`;
  };
  const answers = answersOfPage();
  // A question with drawn numbers stores its state, because its answer is of no use without its numbers.
  const key = model.get("mark") ? "" : questionKey(model.get("question"), options);
  const stored = key ? answers.get(key) : undefined;
  if (key) root.dataset.sdcQuestion = "open";
  const markAnswered = () => {
    if (key) root.dataset.sdcQuestion = "answered";
    drawParts();
  };
  const attempted = () => model.get("feedback") && model.get("is_attempt");
  const reveal = wait(root, () => Boolean(attempted() || model.get("mark") || stored));
  model.on("change:feedback", () => {
    if (!model.get("is_attempt")) return;
    reveal();
    if (!model.get("feedback")) return;
    if (key) answers.set(key, { answer: model.get("typed") ? answer() : "", solved: model.get("solved") });
    markAnswered();
  });
  for (const trait of ["question", "feedback", "solved", "is_attempt", "mark"]) model.on(`change:${trait}`, draw);
  draw();
  let restoring = storeState(model);
  model.on("change:stored_state", () => {
    if (restoring) {
      draw(); // a new question, which may be announced after this state, empties the field
      field.value = model.get("stored_state").answer ?? "";
    }
    restoring = false;
  });
  if (stored && !model.get("feedback")) restore(stored.answer);
  if (stored || attempted()) markAnswered();
  else drawParts();
};
export default { render };
