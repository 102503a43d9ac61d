// @ts-check
// Small helpers that every module here begins with. Text reaches the page as text only, never as markup.
/**
 * The kernel's side of a widget, as anywidget gives it.
 *
 * @template {Record<string, any>} T its traits
 * @typedef {object} Model
 * @property {<K extends keyof T>(name: K) => T[K]} get
 * @property {<K extends keyof T>(name: K, value: T[K]) => void} set
 * @property {() => void} save_changes
 * @property {(content: Message, callbacks?: undefined, buffers?: ArrayBuffer[]) => void} send
 * @property {(event: string, handler: (...given: any[]) => void) => void} on
 * @property {(event: string, handler: (...given: any[]) => void) => void} off
 */
/**
 * What a widget is drawn from: the kernel's side, and the element to draw in.
 *
 * @template {Record<string, any>} T its traits
 * @typedef {{ model: Model<T>, el: HTMLElement }} Context
 */
/** @typedef {{ type: string, [name: string]: any }} Message what one side tells the other */
/** @typedef {[text: string, role?: string | null][]} Line words of a sentence or formula, and what each is for */

/**
 * Make an element.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} props
 * @param {...any} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export const el = (tag, props = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "class") node.className = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key in node && !key.includes("-") && key !== "role" && key !== "list")
      /** @type {any} */ (node)[key] = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
};
/**
 * The closest element around what an event is about.
 *
 * @param {Event} event
 * @param {string} selector
 * @returns {any}
 */
export const near = (event, selector) => /** @type {Element} */ (event.target).closest?.(selector) ?? null;

/** @param {string} prefix */
export const fresh = (prefix) => `${prefix}-${Math.random().toString(36).slice(2, 9)}`;
/** @param {Line} line */
export const pieces = (line) =>
  line.map(([text, role]) => {
    if (!role) return text;
    // A word of the glossary is a button; the head of the page hears that it was pressed.
    if (role === "word") return el("button", { type: "button", class: "sdc-word" }, text);
    return el("span", { class: `sdc-term sdc-${role}` }, text);
  });
/**
 * Tell the page that a file is saved, which says so once.
 *
 * @param {string} name
 */
export const savedAs = (name) => document.dispatchEvent(new CustomEvent("sdc:saved", { detail: name }));
/** @param {string} name @param {BlobPart[]} parts @param {string} type */
export const save = (name, parts, type) => {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  savedAs(name);
};
// What follows from one change is drawn together: the browser lays out and paints once, and no half drawn screen is
// seen. As a rule it comes as one message (batch_sender.js), which draws when it is taken apart. Where it comes as several,
// they are drawn once no more come for a moment, or the control that was moved is answered.
const waiting = () => (globalThis.sdcBatch ??= { draws: new Set(), timer: 0, since: 0, last: 0 });
/** Draw what waits, now. */
export const flush = () => {
  const batch = waiting();
  const draws = [...batch.draws];
  clearTimeout(batch.timer);
  batch.draws.clear();
  batch.timer = 0;
  batch.last = performance.now();
  for (const one of draws) {
    try {
      one();
    } catch (error) {
      reportError(error);
    }
  }
};
/** @param {() => void} draw */
export const together = (draw) => () => {
  const batch = waiting();
  const now = performance.now();
  if (!batch.timer) batch.since = now;
  clearTimeout(batch.timer);
  batch.draws.add(draw);
  batch.timer = setTimeout(flush, now - batch.since > 30 ? 0 : 6);
};
// JupyterLab takes arrows for commands of its own, also from a slider; what has the focus here keeps them.
/** @param {FocusEvent} event */
const keep = ({ target }) => {
  if (target instanceof Element && target.closest(".sdc")) target.setAttribute("data-lm-suppress-shortcuts", "true");
};
// A wheel that scrolls the page past a number would change the number without a word.
/** @param {WheelEvent} event */
const leave = ({ target }) => {
  if (target instanceof HTMLInputElement && target.type === "number" && target === document.activeElement)
    target.blur();
};
if (!globalThis.sdcKeys) {
  globalThis.sdcKeys = true;
  document.addEventListener("wheel", leave, { passive: true });
  document.addEventListener("focusin", keep);
}
