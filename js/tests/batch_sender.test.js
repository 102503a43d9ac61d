import assert from "node:assert/strict";
import { test } from "node:test";
import "./fake_page.js";

const { default: widget } = await import("../widgets/batch_sender.js");

/** @param {any[]} message @returns {Promise<any>} the state of the model "a" after the message, given its arguments */
const after = async (...message) => {
  /** @type {any} */
  const state = {};
  const other = { state_change: Promise.resolve(), set_state: (/** @type {any} */ now) => Object.assign(state, now) };
  const widget_manager = { has_model: (/** @type {string} */ id) => id === "a", get_model: async () => other };
  /** @type {any} */
  let receive;
  const on = (/** @type {string} */ _, /** @type {any} */ handler) => {
    receive = handler;
  };
  /** @type {any} */
  const model = { widget_manager, on, off: () => {}, send: () => {} };
  widget.initialize({ model });
  receive(...message);
  await new Promise((resolve) => setTimeout(resolve, 10));
  return state;
};

test("a message without buffers changes the widgets that it names", async () => {
  const state = await after({ type: "changes", changes: [["a", { count: 3 }, []]] });
  assert.equal(state.count, 3);
});

test("buffers are put where their paths point", async () => {
  const bytes = new Uint8Array([7]).buffer;
  const state = await after({ type: "changes", changes: [["a", { cells: {} }, [["cells", "values"]]]] }, [bytes]);
  assert.equal(state.cells.values.getUint8(0), 7);
});
