import assert from "node:assert/strict";
import { test } from "node:test";
import "./fake_page.js";
import { cornered, fitted, heading } from "../widgets/grid_labels.js";

test("short labels stay as they are", () => {
  assert.deepEqual(fitted(["North", "South"], 12), { texts: ["North", "South"], begin: "" });
});

test("a long label loses letters in its middle", () => {
  const [text] = fitted(["Agriculture, forestry and fishing"], 20).texts;
  assert.ok(text.length <= 23, text);
  assert.ok(text.startsWith("Agric") && text.includes("…") && text.endsWith("fishing"), text);
});

test("different labels never look the same", () => {
  const labels = Array.from({ length: 9 }, (_, i) => `Region of the north ${"x".repeat(i)} and of the far south`);
  for (const most of [8, 12, 20]) {
    const { texts } = fitted(labels, most);
    assert.equal(new Set(texts).size, labels.length, texts.join());
  }
});

test("a beginning that all labels share is cut off once", () => {
  const labels = ["Province of Upper A", "Province of Upper B", "Province of Upper C"];
  const { texts, begin } = fitted(labels, 10);
  assert.ok(begin.startsWith("Province"));
  assert.deepEqual(
    texts.map((text) => begin + text.replace("…", "")),
    labels,
  );
});

test("a shortened heading has the whole label for screen readers", () => {
  const cell = heading("Agriculture", "row", "Agri…");
  assert.equal(cell.title, "Agriculture");
  assert.deepEqual(
    cell.children.map((child) => child.children[0]),
    ["Agri…", "Agriculture"],
  );
  assert.equal(cell.children[0].attributes.get("aria-hidden"), "");
});

test("an empty corner is no heading", () => {
  assert.equal(cornered("", "").tagName, "TD");
  assert.equal(cornered("Area", "").tagName, "TH");
});
