// @ts-check
// A file of records: opened by a button or dropped, and what is said of it.
import { el, together } from "./dom.js";

/** @param {import("./dom.js").Context<{ limit: number, problem: string, notes: string, turn: number }>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc");
  const limit = model.get("limit");
  const problem = el("p", { class: "sdc-wrong", role: "alert" });
  const notes = el("p", { class: "sdc-mute", role: "status" });
  // Nobody knows how long it takes, so the bar only moves.
  const bar = el("progress", { "aria-label": "Reading the file", hidden: true });
  /** @param {File} [file] */
  const read = async (file) => {
    if (!file) return;
    if (file.size > limit) {
      const most = Math.floor(limit / 1048576);
      problem.textContent = `${file.name} is larger than ${most} MB. Save it as Parquet, or choose a file with fewer records.`;
      return;
    }
    problem.textContent = "";
    notes.textContent = `Reading ${file.name} …`;
    bar.hidden = false;
    model.send({ type: "file", name: file.name }, undefined, [await file.arrayBuffer()]);
  };
  const input = el("input", {
    type: "file",
    class: "sdc-hidden",
    tabIndex: -1,
    "aria-hidden": true,
    "aria-label": "Microdata file to open",
    accept: ".csv,.tsv,.txt,.parquet,.dta,.sav",
    onchange: () => {
      read(input.files?.[0]);
      input.value = "";
    },
  });
  root.append(
    el(
      "div",
      { class: "sdc-source" },
      el("button", { type: "button", onclick: () => input.click() }, "Open a microdata file"),
      input,
    ),
    problem,
    notes,
    bar,
  );
  root.addEventListener("dragover", (event) => event.preventDefault());
  root.addEventListener("drop", (event) => {
    event.preventDefault();
    read(event.dataTransfer?.files[0]);
  });
  const sync = () => {
    bar.hidden = true;
    problem.textContent = model.get("problem");
    notes.textContent = model.get("notes");
  };
  for (const name of ["problem", "notes", "turn"]) model.on(`change:${name}`, together(sync));
  sync();
};
export default { render };
