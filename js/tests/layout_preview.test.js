import assert from "node:assert/strict";
import { test } from "node:test";
import { cutBefore, kindOfCell, kindOfRole, numbersOfDecisions } from "../widgets/layout_preview.js";

test("a code of a column has the colour of codes", () => {
  assert.equal(kindOfRole("code:12"), "code");
  assert.equal(kindOfRole("label"), "label");
});

test("a cell has the role of its column in lines of counts only", () => {
  assert.equal(kindOfCell("count", "level:1"), "level");
  assert.equal(kindOfCell("total", "count"), "total");
  assert.equal(kindOfCell("header", "other"), "header");
});

test("the cut is before the first number that does not follow", () => {
  const items = (...numbers) => numbers.map((number) => ({ number }));
  assert.equal(cutBefore(items(1, 2, 3, 98, 99)), 3);
  assert.equal(cutBefore(items(1, 2, 3)), -1);
  assert.equal(cutBefore([]), -1);
});

test("a column has the numbers of the decisions about it", () => {
  const decisions = ["column-2", "", "row-2", "column-2"].map((place) => ({ text: "", place, answers: [] }));
  assert.deepEqual(numbersOfDecisions(decisions, "column-2"), [1, 4]);
  assert.deepEqual(numbersOfDecisions(decisions, "column-1"), []);
});
