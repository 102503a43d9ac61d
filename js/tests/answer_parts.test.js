import assert from "node:assert/strict";
import { test } from "node:test";
import { answerParts } from "../widgets/answer_parts.js";

test("a short answer is one part", () => {
  assert.deepEqual(answerParts("Yes – the table meets the limits of Panel."), [
    "Yes – the table meets the limits of Panel.",
    "",
  ]);
});

test("a long answer is divided at the last end of a clause that fits three lines of a phone", () => {
  const missing = "No limit is set yet.";
  const effect = " Random rounding lowers the disclosure risk from 0.2315 to 0.2143.";
  assert.deepEqual(answerParts(missing + effect), [missing, effect]);
  const yes = "Yes – random rounding changed 1,035 of 9,090 counts by at most 2,";
  const limits = " and the table meets the limits of Panel, May 2026: residual risk 0.21 (maximum 0.22).";
  assert.deepEqual(answerParts(yes + limits), [yes, limits]);
});

test("without an early end of a clause, the first clause is large", () => {
  const long = `${"a".repeat(80)}.`;
  assert.deepEqual(answerParts(long), [long, ""]);
  assert.deepEqual(answerParts(`${long} More.`), [long, " More."]);
});
