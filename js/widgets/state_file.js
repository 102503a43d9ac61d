// @ts-check
// The state of a page as a file: for whoever cannot open a link to this machine.
import { el, save } from "./dom.js";

/** @typedef {import("./dom.js").Model<{ here: string, internal: boolean }>} Here */

/** Names by which a machine calls itself. */
export const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

/** @param {Here} model */
const page = (model) => model.get("here").replace(/\.ipynb$/, "");

/** @param {Here} model @param {string} state */
export const saved = (model, state) => {
  const internal = model.get("internal");
  const first = internal ? { internal: "Original counts or figures that follow from them. Do not publish." } : {};
  const name = `${internal ? "internal-" : ""}${page(model)}-state.json`;
  save(name, [JSON.stringify({ ...first, page: page(model), state })], "application/json");
};

/**
 * Return the button that opens such a file.
 * @param {Here} model
 * @param {(text: string) => void} say
 */
export const opening = (model, say) => {
  // It is in no page: the one file that a page asks for is that of a table.
  const chooser = el("input", { type: "file", accept: ".json" });
  chooser.addEventListener("change", async () => {
    const [file] = chooser.files ?? [];
    chooser.value = "";
    if (!file) return;
    const read = await file
      .text()
      .then(JSON.parse)
      .catch(() => null);
    if (typeof read?.state !== "string") say(`${file.name} does not contain the saved state of a page.`);
    else if (read.page !== page(model))
      say(`${file.name} contains the state of another page. Open it on the page ${read.page}.`);
    else model.send({ type: "state", state: read.state });
  });
  return el("button", { type: "button", onclick: () => chooser.click() }, "Open a saved state");
};
