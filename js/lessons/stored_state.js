// @ts-check
// The state of an exercise or of an interactive part of a served lesson. It is stored with the answers of the lesson.
import { answersOfPage, questionKey } from "./answers.js";
import { drawParts } from "./parts.js";

/** @typedef {{ stored_name: string, stored_state: any }} Traits */

/**
 * Store each change of the state, and send the state of an earlier visit to the kernel.
 * @template {Traits} T
 * @param {import("../widgets/dom.js").Model<T>} model
 * @returns {boolean} whether there was an earlier state
 */
export const storeState = (model) => {
  const name = model.get("stored_name");
  if (!name) return false;
  const answers = answersOfPage();
  const key = questionKey(name, []);
  model.on("change:stored_state", () => {
    answers.set(key, { answer: "", solved: false, state: model.get("stored_state") });
    drawParts();
  });
  const state = answers.get(key)?.state;
  if (state) model.send({ type: "restore", state });
  return Boolean(state);
};
