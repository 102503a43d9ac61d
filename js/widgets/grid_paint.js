// @ts-check
// Counts, marks and margins, written into the nodes that are there.
import { el } from "./dom.js";
import { inBlock, span } from "./grid_places.js";
import { numbers, put, within } from "./numbers.js";

/** The sign of a count that the file does not contain. */
const UNKNOWN = "..";

/** @param {import("./grid.js").Grid} g */
export const paint = (g) => {
  const sent = g.model.get("cells");
  const [counts, before, shade] = [numbers(sent.counts), numbers(sent.reference), numbers(sent.shade)];
  const best = sent.best ? (sent.best[0] - g.top) * g.C + sent.best[1] - g.left : -1;
  const block = g.extent && span(g);
  let width = 3;
  for (let i = 0; i < g.cells.length; i++) {
    const count = counts?.[i];
    const gap = sent.suppressed?.[i];
    // What cannot be typed is read, with its thousands apart.
    const said = counts ? (g.frame.editable ? String(count) : counts[i].toLocaleString("en")) : "";
    const unknown = sent.unknown?.[i];
    const text = gap || (unknown ? UNKNOWN : sent.texts ? sent.texts[i] : said);
    const names = [];
    let title = "";
    if (unknown) {
      names.push("sdc-unknown");
      title = "unknown count";
    } else if (gap) {
      names.push("sdc-gap");
      title = before ? `not published, was ${before[i]}` : "not published";
    } else if (!sent.texts && count === 0) names.push("sdc-zero");
    else if (!sent.texts && (count === 1 || count === 2)) names.push("sdc-small");
    if (!gap && !unknown && before && count !== undefined && before[i] !== count) {
      names.push(before[i] < count ? "sdc-up" : "sdc-down");
      title = `was ${before[i]}`;
    }
    const after = sent.after?.[i];
    if (after) {
      names.push("sdc-became");
      title = `published as ${after}`;
    }
    if (shade) names.push(shade[i] < 0 ? "sdc-low" : "sdc-high");
    if (i === best) {
      names.push("sdc-best");
      title = sent.best?.[2] ?? "";
    }
    if (block && inBlock(g, block, i)) names.push("sdc-selected");
    put(g.cells[i], "className", names.join(" "));
    if (shade) {
      const share = `${Math.round(within(Math.abs(shade[i]), 0, 1) * 100)}%`;
      // Each cell whose style changes is worked out anew by the browser, so only real changes are written.
      if (g.shares[i] !== share) g.cells[i].style.setProperty("--share", (g.shares[i] = share));
    }
    if (text.length > width) width = text.length;
    const input = g.inputs[i];
    if (g.frame.editable) {
      put(input, "title", title);
      if (g.frame.becomes)
        put(/** @type {HTMLElement} */ (input.nextSibling), "textContent", after ? ` → ${after}` : "");
      if (input !== g.editing && !g.pending.has(i) && input.value !== text) {
        input.value = text;
        if (input === document.activeElement) input.select();
      }
    } else {
      put(g.cells[i], "title", title);
      put(g.cells[i], "textContent", text);
      if (title) g.cells[i].append(el("span", { class: "sdc-hidden" }, ` (${title})`));
    }
    g.shown[i] = text;
  }
  g.scroller.style.setProperty("--digits", String(width));
  const [rows, columns] = sent.hits ?? [[], []]; // a grid in a tab is drawn before its first cells come
  g.scroller.querySelectorAll("tbody tr").forEach((row, i) => {
    row.classList.toggle("sdc-hit", rows.includes(i + g.top));
  });
  g.scroller.querySelectorAll("thead th:not(.sdc-corner)").forEach((head, i) => {
    head.classList.toggle("sdc-hit", columns.includes(i + g.left));
  });
};

/** @param {import("./grid.js").Grid} g */
export const paintMargins = (g) => {
  const sent = g.model.get("margins");
  for (const kind of /** @type {const} */ (["row", "column"])) {
    const told = sent[kind];
    if (told) g.margins[kind].forEach((node, i) => margin(g, node, told.values[i], told.parts?.[i], told.part_labels));
  }
  g.margins.corner.forEach((node) =>
    margin(g, node, sent.corner?.text ?? "", sent.corner?.parts, sent.row?.part_labels || []),
  );
};

/**
 * @param {import("./grid.js").Grid} g
 * @param {import("./grid.js").MarginNode} node
 * @param {string} text
 * @param {number[] | null | undefined} parts
 * @param {string[]} labels
 */
export const margin = (g, node, text, parts, labels) => {
  const key = text + (parts || "");
  if (node.key === key) return;
  node.key = key;
  const terms = (parts || []).map((part, i) => `${labels[i] ?? ""} ${part.toFixed(3)}`.trim()).join(", ");
  if (!node.made) {
    const fills = g.frame.roles.map((role) => el("i", { class: `sdc-${role}` }));
    node.made = { bar: el("span", { class: "sdc-bar", "aria-hidden": "true" }, fills), fills, value: el("span") };
    node.append(node.made.bar, node.made.value);
  }
  const { bar, fills, value } = node.made;
  bar.hidden = !parts;
  (parts || []).forEach((part, i) => {
    if (fills[i]) fills[i].style.width = `calc(var(--bar) * ${part})`;
  });
  value.textContent = text;
  node.title = terms;
  if (node.tagName === "BUTTON") node.setAttribute("aria-label", `${text}, ${node.dataset.name}: explain`);
};
