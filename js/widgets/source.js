// @ts-check
// Where the table comes from, how it was read, and which of its axes go down and which across.
import { el, fresh, save, together } from "./dom.js";
import { layoutPreview } from "./layout_preview.js";

/**
 * @typedef {object} Kind a kind of source
 * @property {string} kind
 * @property {"name" | "file" | "text"} asks
 * @property {string} button
 * @property {string} prompt
 * @property {[name: string, title: string][]} names
 * @property {string} accept
 */
/** @typedef {[value: string | number, words: string][]} Options */
/** @typedef {{ name: string, label: string, options: Options, chosen: string[], several: boolean }} Choice */
/** @typedef {{ name: string, where: string | number, labels: string[] }} Lying */
/**
 * @typedef {object} Traits
 * @property {Kind[]} kinds
 * @property {string} chosen
 * @property {string} title
 * @property {string} size
 * @property {string} notes
 * @property {string} problem
 * @property {boolean} refused whether the problem is of a file whose table is not the one shown
 * @property {boolean} people whether the problem is the question by which columns people are counted
 * @property {boolean} asking whether the choices are of that file
 * @property {Choice[]} choices
 * @property {Lying[]} axes
 * @property {import("./layout_preview.js").Preview | Record<string, never>} preview how a file is read, before it is used
 * @property {boolean} previewable whether the file of the table can be previewed
 * @property {number} limit
 * @property {string} saves what the button says that saves the counts
 */

/** Size of a part of a file, in bytes; Jupyter accepts messages of 10 MB. */
const PART = 4 * 1048576;

/** @param {import("./dom.js").Context<Traits>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc");
  const kinds = model.get("kinds");
  const limit = model.get("limit");
  const problem = el("p", { class: "sdc-wrong", role: "alert" });
  const notes = el("p", { class: "sdc-mute", role: "status" });
  const size = el("span", { class: "sdc-mute sdc-size-note" });
  const id = fresh("example");
  const select = el("select", { id, onchange: () => named(select.value) });
  const own = el("option", { value: "", disabled: true, hidden: true });
  select.append(own);
  for (const kind of kinds.filter((one) => one.asks === "name"))
    for (const [name, title] of kind.names) select.append(el("option", { value: name }, title));
  /** @param {string} name */
  const named = (name) => {
    const kind = kinds.find((one) => one.names.some(([known]) => known === name));
    if (kind) model.send({ type: "given", kind: kind.kind, what: name });
  };

  /** @param {File} [file] @param {string} [kind] */
  const read = async (file, kind) => {
    if (!file) return;
    if (file.size > limit) {
      const most = `${Math.floor(limit / 1048576)} MB`;
      problem.textContent = `${file.name} is larger than ${most}. Read it in Python with FrequencyTable.from_csv, or with the command sdcwidgets.`;
      showNotes(true);
      return;
    }
    // A server accepts messages of limited size, so a large file is sent in parts.
    const last = Math.max(0, Math.ceil(file.size / PART) - 1) * PART;
    for (let start = 0; start < last; start += PART) {
      const part = await file.slice(start, start + PART).arrayBuffer();
      model.send({ type: "part", start }, undefined, [part]);
    }
    model.send({ type: "given", kind, name: file.name, start: last }, undefined, [
      await file.slice(last).arrayBuffer(),
    ]);
  };
  /** @param {Kind} kind @returns {HTMLElement[]} */
  const fileButton = ({ kind, button, accept }) => {
    const input = el("input", {
      type: "file",
      class: "sdc-hidden",
      tabIndex: -1,
      "aria-hidden": true,
      "aria-label": "File to open",
      accept,
      onchange: () => {
        read(input.files?.[0], kind);
        input.value = "";
      },
    });
    return [el("button", { type: "button", onclick: () => input.click() }, button), input];
  };
  /** @param {Kind} kind @returns {HTMLElement[]} */
  const textButton = ({ kind, button, prompt }) => {
    const area = el("textarea", { "aria-label": "Copied cells", spellcheck: false });
    const use = () => {
      model.send({ type: "given", kind, what: area.value });
      dialog.close();
    };
    const dialog = el(
      "dialog",
      { class: "sdc sdc-dialog", "aria-label": `${button} a table` },
      el("h2", {}, `${button} a table`),
      el("p", {}, prompt),
      area,
      el(
        "div",
        { class: "sdc-buttons" },
        el("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
        el("button", { type: "button", class: "sdc-primary", onclick: use }, "Check this table"),
      ),
    );
    const open = () => {
      area.value = "";
      dialog.showModal();
      area.focus();
    };
    // An address may ask for it: whoever comes to paste a table does so at once.
    const asked = () => {
      if (location.hash !== "#paste" || !dialog.isConnected) return;
      history.replaceState(null, "", location.pathname + location.search);
      open();
    };
    setTimeout(asked);
    return [el("button", { type: "button", onclick: open }, button), dialog];
  };
  const buttons = kinds.flatMap((kind) =>
    kind.asks === "file" ? fileButton(kind) : kind.asks === "text" ? textButton(kind) : [],
  );

  const preview = layoutPreview((message) => model.send(message));
  const check = el(
    "button",
    { type: "button", onclick: () => model.send({ type: "preview" }) },
    "Check how the file was read",
  );
  const choices = el("div", { class: "sdc-choices" });
  const axes = el("div", { class: "sdc-choices" });
  root.append(
    el(
      "div",
      { class: "sdc-source" },
      el("label", { htmlFor: id, class: "sdc-hidden" }, "Example"),
      select,
      ...buttons,
      el("button", { type: "button", onclick: () => model.send({ type: "save" }) }, model.get("saves")),
      size,
    ),
    problem,
    choices,
    notes,
    check,
    preview.root,
    axes,
  );
  const file = kinds.find((one) => one.asks === "file");
  root.addEventListener("dragover", (event) => event.preventDefault());
  root.addEventListener("drop", (event) => {
    event.preventDefault();
    read(event.dataTransfer?.files[0], file?.kind);
  });

  const decisions = () => ("decisions" in model.get("preview") ? model.get("preview").decisions : []);
  /** Whether a preview asks for everything itself, so that no list beside it asks again. */
  const isAsking = () => "columns" in model.get("preview") && (decisions().length > 0 || !model.get("problem"));
  const sync = () => {
    own.textContent = model.get("title");
    own.hidden = model.get("chosen") !== "";
    select.value = model.get("chosen");
    problem.textContent = model.get("problem");
    // A file with decisions is a question, and no error.
    problem.classList.toggle("sdc-wrong", !model.get("people") && !decisions().length);
    showNotes(model.get("refused"));
    size.textContent = model.get("size");
  };
  /** @param {boolean} refused */
  const showNotes = (refused) => {
    const said = model.get("notes");
    notes.textContent = refused ? `The page still shows ${model.get("title")}. ${said}` : said;
  };
  const showChoices = () => {
    // What is asked of a refused file stands below its sentence, what can be chosen of the table shown below its notes.
    (model.get("asking") ? problem : notes).after(choices);
    const open = choices.querySelector("details")?.open ?? false;
    choices.replaceChildren(...(isAsking() ? [] : asked(model, open)));
  };
  const showPreview = () => {
    check.hidden = !model.get("previewable") || "columns" in model.get("preview");
    const hadFocus = preview.root.contains(document.activeElement);
    preview.show(model.get("preview"));
    // Keyboard users continue at the controls of the table when the preview closes.
    if (hadFocus && preview.root.hidden) (check.hidden ? select : check).focus();
  };
  const showAxes = () => axes.replaceChildren(...lying(model));
  for (const name of ["title", "chosen", "problem", "people", "refused", "notes", "size", "preview"])
    model.on(`change:${name}`, together(sync));
  for (const name of ["choices", "asking", "preview", "problem"]) model.on(`change:${name}`, together(showChoices));
  model.on("change:axes", showAxes);
  for (const name of ["preview", "previewable"]) model.on(`change:${name}`, together(showPreview));
  sync();
  showChoices();
  showPreview();
  showAxes();
  /** @param {import("./dom.js").Message} message */
  const hear = (message) => {
    if (message.type === "save") save(message.name, [message.text], "text/csv;charset=utf-8");
  };
  model.on("msg:custom", hear);
  return () => model.off("msg:custom", hear);
};

/**
 * A list with its label before it, or with a name for who does not see where it stands.
 *
 * @param {string} label
 * @param {Options} options
 * @param {string | number} value
 * @param {(value: string, list: HTMLSelectElement) => void} onchange
 * @param {string} [name]
 */
const labelled = (label, options, value, onchange, name) => {
  const id = fresh("choice");
  const select = el("select", { id, "aria-label": name, onchange: () => onchange(select.value, select) });
  for (const [key, words] of options) select.append(el("option", { value: String(key) }, words));
  select.value = String(value);
  return el("span", { class: "sdc-choice" }, el("label", { htmlFor: id }, label), select);
};

/**
 * What can be chosen of how the file is read; what goes together is sent together.
 *
 * @param {import("./dom.js").Model<Traits>} model
 * @param {boolean} open whether the columns to count by are seen once they were chosen
 */
const asked = (model, open) => {
  const offered = model.get("choices");
  const several = offered.find((choice) => choice.several);
  const single = offered.filter(
    (choice) => choice.options.length && !choice.several && !(several && choice.name === "count"),
  );
  const lists = single.map((choice) => {
    /** @type {Options} */
    const start = choice.chosen.length ? [] : [["", "choose …"]];
    return labelled(choice.label, [...start, ...choice.options], choice.chosen[0] ?? "", (value, list) => {
      if (value) model.send({ type: "choose", choices: { [choice.name]: value } });
      // It shows what is there until another reading is; one that is refused leaves it so.
      list.value = choice.chosen[0] ?? "";
    });
  });
  const cancel = el("button", { type: "button", onclick: () => model.send({ type: "cancel" }) }, "Cancel");
  // A preview has such a button too.
  const leave = model.get("asking") && !("columns" in model.get("preview")) ? [cancel] : [];
  if (!several) return [...lists, ...leave];
  /** @type {Set<string | number>} */
  const picked = new Set(several.chosen);
  const boxes = several.options.map(([value, words]) => {
    const box = el("input", { type: "checkbox", checked: picked.has(value) });
    box.addEventListener("change", () => (box.checked ? picked.add(value) : picked.delete(value)));
    return el("label", { class: "sdc-choice" }, box, words);
  });
  const counts = offered.find((choice) => choice.name === "count");
  let count = counts?.chosen[0] ?? "";
  /** @type {Options} */
  const first = count ? [] : [["", "choose …"]];
  const list = counts
    ? [
        labelled(counts.label, [...first, ...counts.options], count, (value) => {
          count = value;
        }),
      ]
    : [];
  // What has no options is written.
  const fields = offered
    .filter((choice) => !choice.options.length)
    .map(({ name, label, chosen }) => {
      const id = fresh("choice");
      const input = el("input", { id, type: "text", value: chosen[0] ?? "", maxLength: 100 });
      input.addEventListener("keydown", (event) => event.key === "Enter" && choose());
      return { name, input, node: el("span", { class: "sdc-choice" }, el("label", { htmlFor: id }, label), input) };
    });
  const choose = () => {
    const written = Object.fromEntries(fields.map(({ name, input }) => [name, input.value.trim()]));
    const also = counts ? { count } : {};
    model.send({ type: "choose", choices: { [several.name]: [...picked], ...also, ...written } });
  };
  const use = el(
    "button",
    { type: "button", class: "sdc-primary", onclick: choose },
    several.name === "by" ? "Count" : "Read",
  );
  const nodes = [...boxes, ...list, ...fields.map(({ node }) => node), use];
  const by = el("fieldset", { class: "sdc-by" }, el("legend", {}, several.label), ...nodes, ...leave);
  if (model.get("asking")) return [...lists, by];
  const told = el("summary", {}, `${several.label}: ${several.chosen.join(", ")}`);
  return [...lists, el("details", { open }, told, by)];
};

/**
 * Where each axis of a table of three or more axes goes.
 *
 * @param {import("./dom.js").Model<Traits>} model
 */
const lying = (model) =>
  model.get("axes").map(({ name, where, labels }, axis) => {
    /** @type {Options} */
    const options = [
      ["down", "rows"],
      ["across", "columns"],
      ...labels.map((label, i) => /** @type {Options[number]} */ ([i, `only ${label}`])),
    ];
    /** @param {string} value */
    const send = (value) => model.send({ type: "place", axis, where: /^\d+$/.test(value) ? Number(value) : value });
    return labelled(name, options, where, send, `Position of ${name}`);
  });

export default { render };
