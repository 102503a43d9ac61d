import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { press } from "../widgets/grid_keys.js";
import { fakeGrid } from "./fake_grid.js";
import { event } from "./fake_page.js";

let g;
/** Press a key where the focus is. */
const key = (name, held = {}) => {
  const pressed = event(document.activeElement, { key: name, isComposing: false, ...held });
  press(g, pressed);
  return pressed;
};
const start = (row, column) => g.inputs[row * g.C + column].focus();
const focused = () => g.inputs.indexOf(document.activeElement);

beforeEach(() => {
  g = fakeGrid(12, 3);
  start(5, 1);
});

for (const [name, held, place] of [
  ["ArrowUp", {}, [4, 1]],
  ["ArrowDown", {}, [6, 1]],
  ["ArrowLeft", {}, [5, 0]],
  ["ArrowRight", {}, [5, 2]],
  ["PageUp", {}, [0, 1]],
  ["PageDown", {}, [11, 1]],
  ["Home", {}, [5, 0]],
  ["End", {}, [5, 2]],
  ["Enter", {}, [6, 1]],
  ["Enter", { shiftKey: true }, [4, 1]],
  ["ArrowUp", { ctrlKey: true }, [0, 1]],
  ["ArrowDown", { metaKey: true }, [11, 1]],
  ["ArrowRight", { ctrlKey: true }, [5, 2]],
  ["Home", { ctrlKey: true }, [0, 0]],
  ["End", { ctrlKey: true }, [11, 2]],
])
  test(`${Object.keys(held).join("+")} ${name} moves to row ${place[0]}, column ${place[1]}`, () => {
    const pressed = key(name, held);
    assert.equal(focused(), place[0] * 3 + place[1]);
    assert.ok(pressed.prevented);
  });

test("an arrow with Shift extends the selection, and keeps the focus", () => {
  key("ArrowDown", { shiftKey: true });
  key("ArrowRight", { shiftKey: true });
  assert.deepEqual(
    [g.active, g.extent],
    [
      [5, 1],
      [6, 2],
    ],
  );
  assert.equal(focused(), 16);
  key("ArrowRight", { shiftKey: true });
  assert.deepEqual(g.extent, [6, 2]);
});

test("Ctrl+A is left to the browser, which selects the text of the cell", () => {
  const pressed = key("a", { ctrlKey: true });
  assert.deepEqual([g.active, g.extent, pressed.prevented ?? false], [[5, 1], null, false]);
});

test("Ctrl+Shift+Space selects all cells", () => {
  key(" ", { ctrlKey: true, shiftKey: true });
  assert.deepEqual(
    [g.active, g.extent],
    [
      [0, 0],
      [11, 2],
    ],
  );
});

test("Delete empties the selection, and leaves one cell to the browser", () => {
  key("Delete");
  assert.deepEqual(g.sent, []);
  key("ArrowDown", { shiftKey: true });
  key("Delete");
  assert.deepEqual(g.sent[0].cells, [
    [5, 1, ""],
    [6, 1, ""],
  ]);
});

test("Ctrl+Z and Ctrl+Y ask for undo and redo", () => {
  key("z", { ctrlKey: true });
  key("y", { ctrlKey: true });
  key("Z", { ctrlKey: true, shiftKey: true });
  assert.deepEqual(
    g.sent.map((message) => message.type),
    ["undo", "redo", "redo"],
  );
});

test("Ctrl+Z inside a changed field is left to the browser", () => {
  g.editing = document.activeElement;
  g.editing.value = "1";
  assert.equal(key("z", { ctrlKey: true }).prevented, false);
  assert.deepEqual(g.sent, []);
});

test("Enter sends a typed value and goes to the next row", () => {
  document.activeElement.value = "8";
  key("Enter");
  assert.deepEqual(g.sent[0].cells, [[5, 1, "8"]]);
  assert.equal(focused(), 19);
});

test("Escape restores the field, and clears problems", () => {
  g.editing = document.activeElement;
  g.editing.value = "x";
  g.problems = [[5, 1, "no number"]];
  key("Escape");
  assert.equal(document.activeElement.value, "5,1");
  assert.deepEqual(g.problems, []);
  assert.equal(g.problem.hidden, true);
});

test("Tab goes to the next field, and leaves the grid after Escape or at its end", () => {
  assert.ok(key("Tab").prevented);
  assert.equal(focused(), 17);
  key("Tab", { shiftKey: true });
  assert.equal(focused(), 16);
  key("Escape");
  assert.equal(key("Tab").prevented, false);
  start(11, 2);
  assert.equal(key("Tab").prevented, false);
});

test("arrows to the sides move the cursor while a field is edited", () => {
  key("F2");
  assert.equal(g.editing, document.activeElement);
  assert.equal(key("ArrowLeft").prevented, false);
  assert.equal(focused(), 16);
  key("ArrowDown");
  assert.equal(g.editing, null);
  assert.equal(focused(), 19);
});

test("keys of an input method are left alone", () => {
  key("ArrowDown", { isComposing: true });
  assert.equal(focused(), 16);
});
