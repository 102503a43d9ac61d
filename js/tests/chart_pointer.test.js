import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { followDrags, INTERVAL, PATIENCE, stepOf } from "../widgets/chart_pointer.js";

const page = new EventTarget();
globalThis.addEventListener = page.addEventListener.bind(page);
globalThis.removeEventListener = page.removeEventListener.bind(page);

let plot;
let sent;
let ended;
let answered;
/** An event at a position; the target is not on a line that plotly moves. */
const at = (type, x, more = {}) =>
  Object.assign(new Event(type), { clientX: x, clientY: 0, button: 0, pointerType: "mouse", ...more });
const press = (x, more, line = null) => {
  const event = at("pointerdown", x, more);
  Object.defineProperty(event, "target", { value: { closest: () => line } });
  plot.dispatchEvent(event);
};

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  mock.method(performance, "now", () => Date.now());
  plot = new EventTarget();
  sent = [];
  ended = 0;
  answered = followDrags(
    plot,
    (event) => sent.push(event.clientX),
    () => ended++,
  );
});

test("a dragged pointer sends at most one position per interval, and the last one", () => {
  press(0);
  for (const x of [10, 20, 30]) page.dispatchEvent(at("pointermove", x));
  assert.deepEqual(sent, [10]);
  answered();
  mock.timers.tick(INTERVAL);
  assert.deepEqual(sent, [10, 30]);
  page.dispatchEvent(at("pointermove", 40));
  page.dispatchEvent(at("pointerup", 40));
  assert.deepEqual(sent, [10, 30, 40]);
  assert.equal(ended, 1);
});

test("a position waits until the last one is answered, but not for ever", () => {
  press(0);
  for (const x of [10, 20]) page.dispatchEvent(at("pointermove", x));
  mock.timers.tick(3 * INTERVAL);
  page.dispatchEvent(at("pointermove", 30));
  assert.deepEqual(sent, [10]);
  answered();
  assert.deepEqual(sent, [10, 30]);
  page.dispatchEvent(at("pointermove", 40));
  mock.timers.tick(PATIENCE);
  assert.deepEqual(sent, [10, 30, 40]);
  page.dispatchEvent(at("pointerup", 40));
  assert.equal(ended, 1);
});

test("nothing is sent after the end of a drag", () => {
  press(0);
  page.dispatchEvent(at("pointermove", 10));
  page.dispatchEvent(at("pointerup", 10));
  page.dispatchEvent(at("pointermove", 20));
  mock.timers.tick(10 * INTERVAL);
  assert.deepEqual(sent, [10]);
});

test("a click, another button, a finger and a line of plotly are no drags", () => {
  press(0);
  page.dispatchEvent(at("pointermove", 2));
  page.dispatchEvent(at("pointerup", 2));
  press(0, { button: 2 });
  page.dispatchEvent(at("pointermove", 50));
  press(0, { pointerType: "touch" });
  page.dispatchEvent(at("pointermove", 50));
  press(0, {}, {});
  page.dispatchEvent(at("pointermove", 50));
  assert.deepEqual(sent, []);
  assert.equal(ended, 0);
});

test("arrow keys are steps", () => {
  assert.deepEqual(["ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown", "Enter"].map(stepOf), [1, 1, -1, -1, 0]);
});
