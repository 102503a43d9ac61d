import assert from "node:assert/strict";
import { test } from "node:test";
import { answersOfPage, DAYS, LessonAnswers, questionKey } from "../lessons/answers.js";

const ADDRESS = "/voila/render/01-risk.ipynb";

const fakeStorage = () => {
  const values = new Map();
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => values.set(name, String(value)),
    removeItem: (name) => values.delete(name),
    names: () => [...values.keys()],
  };
};

test("an answer is read by a later page of the same lesson only", () => {
  const storage = fakeStorage();
  new LessonAnswers(storage, ADDRESS).set("a", { answer: "5", solved: true });
  assert.deepEqual(new LessonAnswers(storage, ADDRESS).get("a"), { answer: "5", solved: true });
  assert.equal(new LessonAnswers(storage, ADDRESS).get("b"), undefined);
  assert.equal(new LessonAnswers(storage, "/voila/render/02-loss.ipynb").get("a"), undefined);
});

test("answers are deleted when the last one is too old", () => {
  const storage = fakeStorage();
  let time = 1_000_000;
  const answers = new LessonAnswers(storage, ADDRESS, () => time);
  answers.set("a", { answer: "5", solved: true });
  time += (DAYS - 1) * 86_400_000;
  answers.set("b", { answer: "6", solved: false });
  time += (DAYS - 1) * 86_400_000;
  assert.equal(answers.get("a").answer, "5");
  time += 2 * 86_400_000;
  assert.equal(answers.get("a"), undefined);
  assert.deepEqual(storage.names(), []);
});

test("the next part is stored with answers only", () => {
  const storage = fakeStorage();
  const answers = new LessonAnswers(storage, ADDRESS);
  answers.setNext({ text: "Wishes", number: 2, id: "Wishes" });
  assert.deepEqual(storage.names(), []);
  answers.set("a", { answer: "5", solved: true });
  answers.setNext({ text: "Wishes", number: 2, id: "Wishes" });
  assert.equal(answers.read().next.number, 2);
  answers.clear();
  assert.deepEqual(answers.read().answers, {});
});

test("a changed question has another key", () => {
  assert.equal(questionKey("How many?", []), questionKey("How many?", []));
  assert.notEqual(questionKey("How many?", []), questionKey("How many people?", []));
  assert.notEqual(questionKey("Which?", ["(1, 2)"]), questionKey("Which?", ["(2, 1)"]));
});

test("what cannot be read or written is not an error", () => {
  const storage = fakeStorage();
  const refusing = {
    ...storage,
    setItem: () => {
      throw new Error("quota");
    },
    removeItem: () => {
      throw new Error("forbidden");
    },
  };
  for (const text of ["{", "null", "5", '{"at": 1}', '{"answers": 3}', '{"answers": {"a": {"answer": 4}}}']) {
    storage.setItem("sdc:answers:01-risk", text);
    assert.equal(new LessonAnswers(storage, ADDRESS).get("a"), undefined);
    assert.equal(new LessonAnswers(refusing, ADDRESS).get("a"), undefined);
  }
  new LessonAnswers(refusing, ADDRESS).set("a", { answer: "5", solved: true });
  new LessonAnswers(refusing, ADDRESS).clear();
  new LessonAnswers(null, ADDRESS).set("a", { answer: "5", solved: true });
  assert.equal(new LessonAnswers(null, ADDRESS).get("a"), undefined);
});

test("only served lessons store answers", () => {
  globalThis.location = { pathname: ADDRESS };
  globalThis.localStorage = fakeStorage();
  document.body = { dataset: {} };
  answersOfPage().set("a", { answer: "5", solved: true });
  assert.equal(answersOfPage().get("a"), undefined);
  document.body.dataset.sdcwidgets = "lesson";
  answersOfPage().set("a", { answer: "5", solved: true });
  assert.equal(answersOfPage().get("a").answer, "5");
});
