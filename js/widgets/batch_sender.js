// @ts-check
// Takes apart what the kernel sends as one message for many widgets, and has it drawn at once.
import { flush } from "./dom.js";

/** @typedef {Record<string, any>} State */
/** @typedef {[id: string, state: State, paths: string[][]]} Change of a widget: its state, and the ways to bytes in it */
/**
 * A widget's model, as its manager gives it.
 *
 * @typedef {object} Other
 * @property {Promise<void>} state_change what comes from the kernel is set in turn
 * @property {(state: State) => void} set_state
 */
/** @typedef {{ has_model: (id: string) => boolean, get_model: (id: string) => Promise<Other> }} Manager */

/** @param {State} state @param {string[]} path @param {DataView | ArrayBuffer} bytes */
const put = (state, path, bytes) => {
  const inside = path.slice(0, -1).reduce((at, name) => at[name], state);
  inside[path[path.length - 1]] = bytes instanceof DataView ? bytes : new DataView(bytes);
};

/** @param {{ model: import("./dom.js").Model<{}> & { widget_manager: Manager } }} context */
const initialize = ({ model }) => {
  /** @param {string} id @param {State} state */
  const set = async (id, state) => {
    if (!model.widget_manager.has_model(id)) return; // a search for what is not here takes seconds
    const other = await model.widget_manager.get_model(id);
    other.state_change = other.state_change.then(() => other.set_state(state));
    await other.state_change;
  };
  /** @param {import("./dom.js").Message} message @param {(DataView | ArrayBuffer)[]} [buffers] */
  const take = async (message, buffers) => {
    const rest = [...(buffers ?? [])]; // Solara passes none if a message has none
    // In turn: the answer to a control comes after all that follows from it.
    for (const [id, state, paths] of /** @type {Change[]} */ (message.changes)) {
      for (const path of paths) put(state, path, /** @type {DataView} */ (rest.shift()));
      await set(id, state);
    }
    flush();
  };
  let taken = Promise.resolve();
  /** @param {import("./dom.js").Message} message @param {(DataView | ArrayBuffer)[]} [buffers] */
  const hear = (message, buffers) => {
    // One after the other, as they were sent, whatever becomes of one.
    if (message.type === "changes") taken = taken.then(() => take(message, buffers)).catch(reportError);
  };
  model.on("msg:custom", hear);
  if (model.widget_manager) model.send({ type: "ready" });
  return () => model.off("msg:custom", hear);
};
export default { initialize };
