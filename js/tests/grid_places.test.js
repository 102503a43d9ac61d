import assert from "node:assert/strict";
import { test } from "node:test";
import { at, field, find, go, inBlock, select, span, stops } from "../widgets/grid_places.js";
import { fakeGrid } from "./fake_grid.js";
import { event, FakeElement } from "./fake_page.js";

test("each node is found at the place where it is", () => {
  const g = fakeGrid(2, 3, { margins: true });
  for (let r = 0; r <= 2; r++) for (let c = 0; c <= 3; c++) assert.deepEqual(find(g, at(g, r, c)), [r, c]);
});

test("a grid without margins has nothing after its last row and column", () => {
  const g = fakeGrid(2, 2);
  assert.deepEqual([at(g, 0, 2), at(g, 2, 0), at(g, 2, 2)], [null, null, null]);
});

test("the keyboard stops at fields and buttons, but not at texts", () => {
  const g = fakeGrid(2, 2, { margins: true });
  g.margins.row[1] = new FakeElement("SPAN");
  assert.equal(stops(g).length, 4 + 1 + 2 + 1);
});

test("field returns the field of an event, and null for other elements", () => {
  const g = fakeGrid(1, 1);
  assert.equal(field(event(g.inputs[0])), g.inputs[0]);
  assert.equal(field(event(new FakeElement())), null);
});

test("go stops at the last margin, or at the last cell where there are no margins", () => {
  const plain = fakeGrid(2, 3);
  go(plain, 9, 9);
  assert.equal(document.activeElement, plain.inputs[5]);
  assert.equal(plain.inputs[5].selectionEnd, "1,2".length);
  go(plain, -4, 1);
  assert.equal(document.activeElement, plain.inputs[1]);
  const wide = fakeGrid(2, 3, { margins: true });
  go(wide, 9, 9);
  assert.equal(document.activeElement, wide.margins.corner[0]);
});

test("span orders the corners of a selection", () => {
  const g = fakeGrid(4, 4);
  g.active = [3, 0];
  assert.deepEqual(span(g), [
    [3, 3],
    [0, 0],
  ]);
  g.extent = [1, 2];
  assert.deepEqual(span(g), [
    [1, 3],
    [0, 2],
  ]);
});

test("select marks exactly the cells of the block and reports its size", () => {
  const g = fakeGrid(3, 3);
  g.active = [0, 1];
  select(g, [1, 2]);
  const marked = g.cells.flatMap((cell, i) => (cell.classList.contains("sdc-selected") ? [i] : []));
  assert.deepEqual(marked, [1, 2, 4, 5]);
  assert.deepEqual(
    marked,
    [...g.cells.keys()].filter((i) => inBlock(g, span(g), i)),
  );
  assert.match(g.status.textContent, /^2 by 2 /);
  assert.ok(g.cells[5].scrolled);
});

test("one cell is no selection", () => {
  const g = fakeGrid(2, 2);
  select(g, [0, 0]);
  assert.equal(g.extent, null);
  assert.equal(g.status.textContent, "");
  select(g, [1, 1]);
  select(g, null);
  assert.ok(g.cells.every((cell) => !cell.classList.contains("sdc-selected")));
});
