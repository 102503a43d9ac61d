import assert from "node:assert/strict";
import { test } from "node:test";
import { numbers, put, within } from "../widgets/numbers.js";

test("numbers reads eight bytes each, also from the middle of a buffer", () => {
  const bytes = new Float64Array([7, 1, 2.5, Number.NaN]).buffer;
  assert.deepEqual([...numbers(new DataView(bytes, 8, 16))], [1, 2.5]);
  assert.equal(numbers(null), null);
});

test("within keeps a number inside its limits", () => {
  assert.deepEqual(
    [-1, 0, 3, 5, 9].map((value) => within(value, 0, 5)),
    [0, 0, 3, 5, 5],
  );
});

test("put writes a property only if it changes", () => {
  let writes = 0;
  const node = {
    get title() {
      return "a";
    },
    set title(_) {
      writes += 1;
    },
  };
  put(node, "title", "a");
  assert.equal(writes, 0);
  put(node, "title", "b");
  assert.equal(writes, 1);
});
