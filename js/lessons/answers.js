// @ts-check
// The answers of a lesson, stored in this browser, so that a reload of the lesson restores them.

/** Days after the last answer until the answers of a lesson are deleted. */
export const DAYS = 30;

/**
 * @typedef {{ answer: string, solved: boolean, state?: Record<string, unknown> }} Answer state of an exercise or of an
 *   interactive part, which has no answer
 * @typedef {{ text: string, number: number, id: string }} Part heading of a part, its number and its id
 * @typedef {{ at: number, answers: Record<string, Answer>, next?: Part | null }} Stored
 *   time of the last answer, answers by the key of their question, and the part with the first open question
 */

/** @param {string} pathname */
const lessonName = (pathname) => decodeURIComponent(pathname.split("/").at(-1) ?? "").replace(/\.ipynb$/, "");

/** @param {string} pathname */
const storageKey = (pathname) => `sdc:answers:${lessonName(pathname)}`;

/**
 * The key of a question. It follows its text, so that an answer is not restored to a question that has changed.
 * @param {string} question
 * @param {string[]} options
 */
export const questionKey = (question, options) => {
  let hash = 5381;
  for (const character of [question, ...options].join("\n")) hash = (hash * 33 + character.charCodeAt(0)) | 0;
  return (hash >>> 0).toString(36);
};

/** The stored answers of the lesson of an address. They are empty if they are too old or cannot be read. */
export class LessonAnswers {
  /** @param {Storage | null} storage @param {string} pathname @param {() => number} now */
  constructor(storage, pathname, now = Date.now) {
    this.storage = storage;
    this.key = storageKey(pathname);
    this.now = now;
  }
  /** @returns {Stored} */
  read() {
    try {
      const stored = JSON.parse(this.storage?.getItem(this.key) ?? "null");
      const age = this.now() - stored.at;
      if (typeof stored.answers === "object" && age < DAYS * 86_400_000) return stored;
      this.clear();
    } catch {
      /* nothing is stored, or nothing that this page has written */
    }
    return { at: 0, answers: {} };
  }
  /** @param {Partial<Stored>} changes */
  #write(changes) {
    try {
      this.storage?.setItem(this.key, JSON.stringify({ ...this.read(), ...changes }));
    } catch {
      /* a browser that stores nothing shows the lesson without its answers */
    }
  }
  /** @param {string} question @returns {Answer | undefined} */
  get(question) {
    const answer = this.read().answers[question];
    return typeof answer?.answer === "string" ? answer : undefined;
  }
  /** @param {string} question @param {Answer} answer */
  set(question, answer) {
    this.#write({ at: this.now(), answers: { ...this.read().answers, [question]: answer } });
  }
  /** Store where the lesson goes on, null after the last question. @param {Part | null} next */
  setNext(next) {
    if (this.read().at) this.#write({ next });
  }
  clear() {
    try {
      this.storage?.removeItem(this.key);
    } catch {
      /* nothing is stored */
    }
  }
}

/** The answers of the served lesson of this page, or none elsewhere, because a notebook stores its own outputs. */
export const answersOfPage = () => {
  /** @type {Storage | null} */
  let storage = null;
  try {
    if (document.body.dataset.sdcwidgets === "lesson") storage = localStorage;
  } catch {
    /* a browser may forbid storage */
  }
  return new LessonAnswers(storage, location.pathname);
};
