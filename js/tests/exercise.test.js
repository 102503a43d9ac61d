import assert from "node:assert/strict";
import { test } from "node:test";
import { LessonAnswers, questionKey } from "../lessons/answers.js";
import exercise from "../lessons/exercise.js";
import { FakeElement } from "./fake_page.js";

const ADDRESS = "/voila/render/01-risk.ipynb";
const NAME = "Drawn exercise";

/** A served lesson whose stored answers have a state of the exercise. */
const servedLesson = (state) => {
  const values = new Map();
  globalThis.localStorage = {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => values.set(name, value),
  };
  globalThis.location = { pathname: ADDRESS, hash: "" };
  globalThis.requestAnimationFrame = () => {};
  globalThis.window = { setTimeout: () => 1 };
  Object.assign(document, {
    body: { dataset: { sdcwidgets: "lesson" } },
    getElementById: () => null,
    querySelectorAll: () => [],
  });
  new LessonAnswers(localStorage, ADDRESS).set(questionKey(NAME, []), { answer: "", solved: false, state });
};

/** The kernel's side: `set` changes all traits before it calls the handlers, in the order of the traits. */
const fakeModel = (traits) => {
  const handlers = new Map();
  return {
    sent: [],
    get: (name) => traits[name],
    send(message) {
      this.sent.push(message);
    },
    on: (name, handler) => handlers.set(name, [...(handlers.get(name) ?? []), handler]),
    set(changes) {
      Object.assign(traits, changes);
      for (const name of Object.keys(changes)) for (const handler of handlers.get(`change:${name}`) ?? []) handler();
    },
  };
};

const inputOf = (root) =>
  root.children.flatMap((child) => [child, ...(child.children ?? [])]).find((node) => node.tagName === "INPUT");

const draw = () => {
  const model = fakeModel({
    question: "What is 1 + 1?",
    options: [],
    feedback: "",
    solved: false,
    typed: true,
    mark: "Version 1.",
    stored_name: NAME,
    stored_state: { version: 1, answer: "" },
  });
  const root = new FakeElement();
  root.dataset = {};
  exercise.render({ model, el: root });
  return { model, input: inputOf(root) };
};

test("a typed answer is restored whatever the order in which the traits arrive", () => {
  const changes = {
    question: "What is 2 + 2?",
    feedback: "No.",
    mark: "Version 2.",
    stored_state: { version: 2, answer: "8" },
  };
  const names = Object.keys(changes);
  for (const first of names) {
    servedLesson(changes.stored_state);
    const { model, input } = draw();
    assert.deepEqual(model.sent, [{ type: "restore", state: changes.stored_state }]);
    const order = [first, ...names.filter((name) => name !== first)];
    model.set(Object.fromEntries(order.map((name) => [name, changes[name]])));
    assert.equal(input.value, "8", `when ${first} arrives first`);
  }
});

test("new numbers have no old answer", () => {
  servedLesson({ version: 1, answer: "8" });
  const { model, input } = draw();
  model.set({ stored_state: { version: 1, answer: "8" }, feedback: "No." });
  assert.equal(input.value, "8");
  model.set({ stored_state: { version: 2, answer: "" }, question: "What is 3 + 3?", feedback: "", mark: "Version 2." });
  assert.equal(input.value, "");
});
