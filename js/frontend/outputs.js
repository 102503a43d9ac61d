// @ts-check
// Outputs of cells: widgets, markup, pictures and text, the first of these kinds that an output has.
import { Widget } from "@lumino/widgets";
import { clean } from "./sanitize.js";

const WIDGET = "application/vnd.jupyter.widget-view+json";

/** @typedef {Record<string, any>} Bundle data of an output by MIME type */

/** @param {string | string[]} text */
const joined = (text) => (Array.isArray(text) ? text.join("") : text);

/** @param {string} source @param {Bundle} data */
const picture = (source, data) => {
  const image = document.createElement("img");
  image.src = source;
  image.alt = joined(data["text/plain"] ?? "");
  return image;
};

/** @type {[type: string, kind: string, make: (data: any, all: Bundle) => Node][]} */
const KINDS = [
  ["text/html", "jp-RenderedHTMLCommon jp-RenderedHTML", (text) => clean(joined(text))],
  ["image/png", "jp-RenderedImage", (text, all) => picture(`data:image/png;base64,${joined(text)}`, all)],
  ["image/jpeg", "jp-RenderedImage", (text, all) => picture(`data:image/jpeg;base64,${joined(text)}`, all)],
  // As a picture, it runs no scripts.
  [
    "image/svg+xml",
    "jp-RenderedSVG",
    (text, all) => picture(`data:image/svg+xml,${encodeURIComponent(joined(text))}`, all),
  ],
  [
    "text/plain",
    "jp-RenderedText",
    (text) => {
      const block = document.createElement("pre");
      block.tabIndex = 0;
      block.textContent = joined(text);
      return block;
    },
  ],
];

/**
 * Show an output in place of the script that has its data.
 *
 * @param {HTMLScriptElement} script
 * @param {import("./manager.js").Manager | null} manager
 */
const show = async (script, manager) => {
  const data = JSON.parse(script.textContent ?? "{}").data ?? {};
  const place = document.createElement("div");
  place.className = "jp-OutputArea-output";
  if (data[WIDGET]) {
    if (!manager) return;
    const model = await manager.get_model(data[WIDGET].model_id);
    const view = await manager.create_view(model);
    script.replaceWith(place);
    Widget.attach(view.luminoWidget, place);
    return;
  }
  const kind = KINDS.find(([type]) => data[type] !== undefined);
  if (!kind) return;
  const [type, names, make] = kind;
  place.classList.add(...names.split(" "));
  place.dataset.mimeType = type;
  place.append(make(data[type], data));
  for (const table of place.querySelectorAll("table")) if (table.parentElement) makeScrollable(table.parentElement);
  script.replaceWith(place);
};

let tables = 0;

/**
 * Let an element with a wide table have the focus, which scrolling by keyboard needs, as a region with a name.
 *
 * @param {HTMLElement} box
 */
const makeScrollable = (box) => {
  if (box.tabIndex === 0) return;
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  tables += 1;
  box.setAttribute("aria-label", `Table ${tables}`);
};

/** @returns {NodeListOf<HTMLScriptElement>} */
const scripts = () => document.querySelectorAll('script[type="application/vnd.voila.cell-output+json"]');

/** Wrap each table in the text of a lesson, so that a wide table scrolls without the text around it. */
const wrapTables = () => {
  for (const table of document.querySelectorAll(".jp-MarkdownOutput > table")) {
    const box = document.createElement("div");
    box.style.overflowX = "auto";
    table.replaceWith(box);
    box.append(table);
    makeScrollable(box);
  }
};

/** @param {import("./manager.js").Manager | null} manager null if the kernel does not answer */
export const showOutputs = (manager) => {
  const shown = [...scripts()].map((script) => show(script, manager).catch((error) => console.error(error)));
  wrapTables();
  return Promise.all(shown);
};
