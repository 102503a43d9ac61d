// @ts-check
// Labels of rows and columns: short enough to be read, and never so short that two of them look the same.
import { el } from "./dom.js";

/**
 * Cut a text in its middle: what tells two long labels apart is as often at the end as at the beginning. Whole words
 * are left where there are any.
 *
 * @param {string} text
 * @param {number} most letters
 */
const middle = (text, most) => {
  if (text.length <= most) return text;
  const half = Math.ceil((most - 1) / 2);
  const space = text.lastIndexOf(" ", half);
  const head = text.slice(0, space > 1 ? space : half).replace(/[,;:]$/, "");
  const from = text.length - (most - 1 - head.length);
  const word = text.indexOf(" ", from - 1) + 1;
  // A last word that is hardly too long stays whole.
  const last = text.lastIndexOf(" ") + 1;
  const tail = word > 0 && word < text.length ? word : from - last <= 3 && last < from ? last : from;
  return `${head}…${text.slice(tail)}`;
};

/**
 * The beginning that all long labels share, up to the last letter or number that a name begins with.
 *
 * @param {string[]} labels
 */
const shared = (labels) => {
  let end = labels[0].length - 1;
  for (const label of labels) {
    let same = 0;
    while (same < end && same < label.length - 1 && label[same] === labels[0][same]) same++;
    end = same;
  }
  return labels[0].slice(0, end);
};

/**
 * @param {string[]} labels
 * @param {number} most letters
 * @returns {{ texts: string[], begin: string }} what is shown, and the beginning that is said once for all of them
 */
export const fitted = (labels, most) => {
  const long = labels.length > 2 && labels.every((label) => label.length > most);
  const begin = long ? shared(labels) : "";
  const rest = begin.length >= 4 ? labels.map((label) => `…${label.slice(begin.length)}`) : labels;
  const texts = rest.map((label) => middle(label, most));
  const seen = new Map();
  const different = new Set(labels).size === labels.length;
  for (const text of texts) seen.set(text, (seen.get(text) || 0) + 1);
  const told = texts.map((text, index) =>
    different && seen.get(text) > 1 ? `${middle(text, Math.max(6, most - 6))} (${index + 1})` : text,
  );
  return { texts: told, begin: begin.length >= 4 ? begin : "" };
};

/**
 * The head of a row or a column: its label, or a shorter text that is read out as the label.
 *
 * @param {string} label
 * @param {"row" | "col"} scope
 * @param {string} [text]
 */
export const heading = (label, scope, text = label) =>
  text === label
    ? el("th", { scope, title: label.length > 6 && label }, el("span", {}, label))
    : el(
        "th",
        { scope, title: label },
        el("span", { "aria-hidden": true }, text),
        el("span", { class: "sdc-hidden" }, label),
      );

// The corner: what the labels of the rows are of, and the beginning that was cut from all of them.
/** @param {string} name @param {string} begin @param {string} [title] */
export const cornered = (name, begin, title) => {
  const small = begin ? el("small", {}, `all begin with ${begin}`) : null;
  const head = Boolean(name || begin);
  return el(head ? "th" : "td", { class: "sdc-corner sdc-mute", title, scope: head ? "col" : null }, name, small);
};
