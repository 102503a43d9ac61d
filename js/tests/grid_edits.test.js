import assert from "node:assert/strict";
import { test } from "node:test";
import { commit, copy, inSelection, paste, restore, send } from "../widgets/grid_edits.js";
import { fakeGrid } from "./fake_grid.js";
import { event, FakeElement } from "./fake_page.js";

const clipboard = (text = "") => {
  const data = new Map([["text/plain", text]]);
  return { getData: (type) => data.get(type), setData: (type, value) => data.set(type, value), data };
};

test("send names cells of the whole table, and marks them as pending", () => {
  const g = fakeGrid(2, 2, { top: 10, left: 100 });
  send(g, [[1, 0, "7"]]);
  assert.deepEqual(g.sent, [{ type: "edit", turn: 1, cells: [[11, 100, "7"]] }]);
  assert.deepEqual([...g.pending], [2]);
  assert.equal(g.inputs[2].value, "7");
});

test("send sends nothing without edits, and at most 100 letters of a text", () => {
  const g = fakeGrid(1, 1);
  send(g, []);
  assert.deepEqual(g.sent, []);
  send(g, [[0, 0, "9".repeat(5000)]]);
  assert.equal(g.sent[0].cells[0][2].length, 100);
});

test("commit sends a field that was changed, and no other", () => {
  const g = fakeGrid(2, 2);
  g.editing = g.inputs[3];
  commit(g);
  assert.deepEqual(g.sent, []);
  g.editing = g.inputs[3];
  g.inputs[3].value = "42";
  commit(g);
  assert.deepEqual(g.sent[0].cells, [[1, 1, "42"]]);
  assert.equal(g.editing, null);
  commit(g);
  assert.equal(g.sent.length, 1);
});

test("restore brings back the last text of the kernel", () => {
  const g = fakeGrid(1, 2);
  g.editing = g.inputs[1];
  g.inputs[1].value = "wrong";
  restore(g);
  assert.equal(g.inputs[1].value, "0,1");
  restore(g);
  assert.deepEqual(g.sent, []);
});

test("inSelection visits the block row by row, or the active cell alone", () => {
  const g = fakeGrid(3, 3);
  g.active = [1, 1];
  const places = () => inSelection(g, (r, c) => `${r}${c}`);
  assert.deepEqual(places(), [["11"]]);
  g.extent = [2, 0];
  assert.deepEqual(places(), [
    ["10", "11"],
    ["20", "21"],
  ]);
});

test("copy writes rows as lines and columns with tabs", () => {
  const g = fakeGrid(2, 2);
  g.extent = [1, 1];
  const copied = event(g.inputs[0], { clipboardData: clipboard() });
  copy(g, copied);
  assert.equal(copied.clipboardData.data.get("text/plain"), "0,0\t0,1\n1,0\t1,1");
  assert.ok(copied.prevented);
});

test("copy leaves selected letters of a field to the browser", () => {
  const g = fakeGrid(1, 1);
  g.editing = g.inputs[0];
  g.inputs[0].setSelectionRange(0, 2);
  const copied = event(g.inputs[0], { clipboardData: clipboard() });
  copy(g, copied);
  assert.equal(copied.prevented, false);
});

test("paste fills a block from the active cell, and selects it", () => {
  const g = fakeGrid(3, 3);
  g.active = [1, 1];
  paste(g, event(g.inputs[4], { clipboardData: clipboard("1\t2\r\n3\t4\r\n") }));
  assert.deepEqual(g.sent[0].cells, [
    [1, 1, "1"],
    [1, 2, "2"],
    [2, 1, "3"],
    [2, 2, "4"],
  ]);
  assert.deepEqual(g.extent, [2, 2]);
});

test("paste begins at the upper left corner of a selection", () => {
  const g = fakeGrid(3, 3);
  [g.active, g.extent] = [
    [2, 2],
    [0, 1],
  ];
  paste(g, event(g.inputs[8], { clipboardData: clipboard("5") }));
  assert.deepEqual(g.sent[0].cells, [[0, 1, "5"]]);
});

test("a block that is too large is refused, with its size and the space that there is", () => {
  const g = fakeGrid(2, 2, { top: 5, left: 7 });
  g.active = [1, 1];
  paste(g, event(g.inputs[3], { clipboardData: clipboard("1\t2\n3\t4") }));
  assert.deepEqual(g.sent, []);
  const [[row, column, sentence]] = g.problems;
  assert.deepEqual([row, column], [6, 8]);
  assert.match(sentence, /2 rows and 2 columns.* 1 row and 1 column/);
  assert.equal(g.inputs[3].ariaInvalid, "true");
  assert.equal(g.problem.hidden, false);
});

test("one value that is pasted into an edited field is left to the browser", () => {
  const g = fakeGrid(1, 1);
  g.editing = g.inputs[0];
  const pasted = event(g.inputs[0], { clipboardData: clipboard("5") });
  paste(g, pasted);
  assert.equal(pasted.prevented, false);
  paste(g, event(new FakeElement(), { clipboardData: clipboard("5") }));
  assert.deepEqual(g.sent, []);
});
