// @ts-check
// Where the table comes from: an example, a file, or what was copied in a spreadsheet.
import { el, fresh, save, together } from "./dom.js";

/** @param {{ model: import("./dom.js").Model, el: HTMLElement }} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc");
  const id = fresh("example");
  const select = el("select", { id, onchange: () => model.send({ type: "example", name: select.value }) });
  const options = model.get("examples").map(([name, title]) => el("option", { value: name }, title));
  const own = el("option", { value: "", disabled: true, hidden: true });
  select.append(own, ...options);
  const limit = model.get("limit");
  const problem = el("p", { class: "sdc-wrong", role: "alert" });
  const notes = el("p", { class: "sdc-mute", role: "status" });
  const size = el("span", { class: "sdc-mute sdc-size-note" });
  const read = async (file) => {
    if (!file) return;
    if (file.size > limit) {
      const most = `${Math.floor(limit / 1048576)} MB`;
      problem.textContent = `${file.name} is larger than ${most}; choose a smaller file, or a table with fewer cells.`;
      return;
    }
    model.send({ type: "file", name: file.name }, undefined, [await file.arrayBuffer()]);
  };
  const input = el("input", {
    type: "file",
    class: "sdc-hidden",
    tabIndex: -1,
    "aria-hidden": true,
    "aria-label": "File to open",
    accept: ".csv,.tsv,.txt,.xlsx",
    onchange: () => {
      read(input.files[0]);
      input.value = "";
    },
  });
  const area = el("textarea", { "aria-label": "The copied cells", spellcheck: false });
  const use = el(
    "button",
    {
      type: "button",
      class: "sdc-primary",
      onclick: () => {
        model.send({ type: "paste", text: area.value });
        dialog.close();
      },
    },
    "Use this table",
  );
  const dialog = el(
    "dialog",
    { class: "sdc sdc-dialog", "aria-label": "Paste a table" },
    el("h2", {}, "Paste a table"),
    el("p", {}, "Copy cells in your spreadsheet, with their headings, and paste them here."),
    area,
    el("div", { class: "sdc-buttons" }, el("button", { type: "button", onclick: () => dialog.close() }, "Cancel"), use),
  );
  root.append(
    el(
      "div",
      { class: "sdc-source" },
      el("label", { htmlFor: id, class: "sdc-hidden" }, "Example"),
      select,
      el("button", { type: "button", onclick: () => input.click() }, "Open a file"),
      input,
      el(
        "button",
        {
          type: "button",
          onclick: () => {
            area.value = "";
            dialog.showModal();
            area.focus();
          },
        },
        "Paste",
      ),
      el("button", { type: "button", onclick: () => model.send({ type: "save" }) }, "Save as CSV"),
      size,
      dialog,
    ),
    problem,
    notes,
  );
  root.addEventListener("dragover", (event) => event.preventDefault());
  root.addEventListener("drop", (event) => {
    event.preventDefault();
    read(event.dataTransfer.files[0]);
  });
  const sync = () => {
    own.textContent = model.get("title");
    own.hidden = model.get("chosen") !== "";
    select.value = model.get("chosen");
    problem.textContent = model.get("problem");
    notes.textContent = model.get("notes");
    size.textContent = model.get("size");
  };
  for (const name of ["title", "chosen", "problem", "notes", "size"]) model.on(`change:${name}`, together(sync));
  sync();
  const hear = (message) => {
    if (message.type === "save") save(message.name, [message.text], "text/csv;charset=utf-8");
  };
  model.on("msg:custom", hear);
  return () => model.off("msg:custom", hear);
};
export default { render };
