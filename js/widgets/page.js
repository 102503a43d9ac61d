// @ts-check
// The head of a page: its name, the way to the others, undo and redo, a link to this state, and the code for it.
// It also holds the one dialog of the page, in which a number shows how it comes about.
import { watching } from "./alive.js";
import { el, fresh, near, save, together } from "./dom.js";
import { explained } from "./explained.js";
import { keeping, linked, linkName } from "./kept.js";
import { toNotebooks } from "./lead.js";
import { LOCAL, opening, saved } from "./state_file.js";
import { telling } from "./story.js";
import { viewing } from "./view.js";

/** @typedef {[text: string, notebook: string]} Way */
/**
 * @typedef {object} Traits
 * @property {string} title
 * @property {string} about
 * @property {Way[]} lessons
 * @property {[group: string, pages: Way[]][]} links
 * @property {string} here
 * @property {number} nth
 * @property {boolean} plain
 * @property {boolean} led
 * @property {boolean} reports
 * @property {boolean} can_undo
 * @property {boolean} can_redo
 * @property {string} problem
 * @property {string} came
 * @property {boolean} internal
 */
/** @param {import("./dom.js").Context<Traits>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc");
  const served = document.getElementById("rendered_cells");
  if (served) {
    served.classList.add("sdc-dashboard");
    document.title = `${model.get("title")} · sdcwidgets`;
  }
  const ours = "sdcwidgets" in document.body.dataset;
  const inRender = toNotebooks() !== null;
  const prefix = toNotebooks() ?? "voila/render/";
  const home = inRender ? (prefix ? "./" : "index.ipynb") : null;
  const status = el("span", { role: "status" });
  const inside = el("span", { role: "status", class: "sdc-mute" }); // while the dialog is open nothing else is heard
  const problem = el("p", { role: "alert" });
  const notice = el("p", { role: "status" });
  const ended = el("p", { role: "alert" });
  const story = el("aside", { class: "sdc-story", "aria-label": "Tutorial", tabIndex: -1, hidden: true });
  let quiet = 0;
  /** @type {string[]} */
  let files = []; // those that the notice names
  /** @param {string} text */
  const say = (text) => {
    const place = dialog.open ? inside : status;
    status.textContent = inside.textContent = "";
    files = [];
    clearTimeout(quiet);
    setTimeout(() => {
      place.textContent = text;
    }, 30);
    quiet = setTimeout(() => {
      place.textContent = "";
      files = [];
    }, 5000);
  };
  /** @param {Event} event */
  const savedFile = (event) => {
    // Of several pages in a notebook the first says it.
    if (document.querySelector(".sdc-header") !== root.firstElementChild) return;
    // One click may save several files, one after the other.
    const names = [...new Set([...files, /** @type {CustomEvent<string>} */ (event).detail])];
    say(`Saved as ${new Intl.ListFormat("en-GB").format(names)}`);
    files = names;
  };
  document.addEventListener("sdc:saved", savedFile);
  /** @param {Event} event */
  const pressed = (event) => {
    if (event.isTrusted) files = []; // each download also clicks on a link, but not as a person does
  };
  document.addEventListener("click", pressed, true);
  const mine = () => root.closest(".sdc-page") ?? root;
  /** @param {string} text @param {string} kind */
  const action = (text, kind) => {
    const button = el("button", { type: "button" }, text);
    // What cannot be done now keeps the focus of whoever did it last by key.
    button.addEventListener("click", () => button.ariaDisabled === "true" || model.send({ type: kind }));
    return button;
  };
  const undo = action("Undo", "undo");
  const redo = action("Redo", "redo");
  const share = [action("Copy link", "link"), action("Show the code", "code")];
  if (model.get("reports")) share.push(action("Report", "report"));
  const words = el("button", { type: "button" }, "Glossary");
  words.addEventListener("click", () => {
    const here = [...mine().querySelectorAll(".sdc-word")].map((one) => one.textContent);
    model.send({ type: "words", here: [...new Set(here)] });
  });
  const rest = [words, action("Reset", "reset"), opening(model, say)];
  const paper = el("button", { type: "button", onclick: () => print() }, "Print");
  /** @param {string} name @param {string} label @param {Node[]} nodes */
  const closed = (name, label, nodes) =>
    el(
      "details",
      { class: "sdc-menu sdc-menu-right" },
      el("summary", { "aria-label": label }, el("span", { "aria-hidden": "true" }, name)),
      el("div", { class: "sdc-menu-list" }, nodes),
    );
  const brand = home ? el("a", { class: "sdc-brand", href: home }, "sdcwidgets") : el("b", {}, "sdcwidgets");
  /** @param {Way[]} pages */
  const ways = (pages) =>
    pages.map(([text, name]) =>
      el("a", { href: prefix + name, "aria-current": name === model.get("here") ? "page" : null }, text),
    );
  const menu = el(
    "details",
    { class: "sdc-menu" },
    el("summary", {}, "All tools"),
    el(
      "nav",
      { "aria-label": "Dashboards" },
      model.get("links").map(([group, pages]) => el("div", {}, el("b", {}, group), ways(pages))),
    ),
  );
  const lessons = model.get("lessons");
  const apart = ways(lessons).flatMap((way, place) => (place ? [", ", way] : [way]));
  const taught = lessons.length
    ? el("span", { class: "sdc-taught" }, lessons.length > 1 ? "Lessons: " : "Lesson: ", apart)
    : null;
  const led = model.get("led");
  const menus = led
    ? [
        closed("Share", "Share", [...share, paper]),
        closed("…", "More", [...rest, ...viewing(), ...(ours && taught ? [taught] : [])]),
      ]
    : [];
  const buttons = model.get("plain")
    ? []
    : led
      ? [undo, redo, el("i"), ...menus]
      : [undo, redo, rest[1], ...share, rest[0], ...viewing()];
  for (const one of [menu, ...menus])
    one.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      one.open = false;
      one.querySelector("summary")?.focus();
    });
  /** @param {Event} event */
  const elsewhere = (event) => {
    for (const one of [menu, ...menus])
      if (!one.contains(/** @type {Node} */ (event.target)) || near(event, ".sdc-menu-list button")) one.open = false;
  };
  document.addEventListener("click", elsewhere);
  // Words of the glossary stand in every part of the page, and in its dialog.
  /** @param {Event} event */
  const word = (event) => {
    const pressed = near(event, ".sdc-word");
    if (pressed && mine().contains(pressed)) model.send({ type: "word", word: pressed.textContent });
  };
  document.addEventListener("click", word);
  root.append(
    el(
      "header",
      { class: "sdc-header" },
      brand,
      inRender ? menu : null,
      el("div", { class: "sdc-actions" }, buttons, model.get("plain") ? viewing() : null, status),
      problem,
      notice,
      ended,
    ),
    story,
    led
      ? ""
      : el(
          "div",
          { class: "sdc-purpose" },
          el("h1", {}, model.get("title")),
          el("p", {}, model.get("about")),
          ours ? taught : null,
        ),
  );

  const heading = el("h2", { id: fresh("title") });
  const body = el("div");
  const close = el("button", { type: "button", class: "sdc-primary", onclick: () => dialog.close() }, "Close");
  const copy = el("button", { type: "button" }, "Copy");
  const dialog = el(
    "dialog",
    { class: "sdc sdc-dialog", "aria-labelledby": heading.id },
    heading,
    body,
    el("div", { class: "sdc-buttons" }, inside, copy, close),
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  root.append(dialog);
  /** @param {string} title @param {Node[]} nodes @param {string} [text] what there is to copy */
  const open = (title, nodes, text) => {
    heading.textContent = title;
    body.replaceChildren(...nodes);
    copy.hidden = !text;
    copy.onclick = () => put(text ?? "", "Copied");
    if (!dialog.open) dialog.showModal();
    close.focus({ preventScroll: true });
    dialog.scrollTop = 0;
  };
  /** @param {string} text @param {string} done */
  const put = async (text, done) => {
    try {
      await navigator.clipboard.writeText(text);
      say(done);
    } catch {
      open("Copy this text", [el("pre", { tabIndex: 0 }, text)]);
    }
  };
  /** @param {string} link @param {string} state */
  const only = async (link, state) => {
    const copied = await navigator.clipboard.writeText(link).then(
      () => true,
      () => false,
    );
    const keep = el("button", { type: "button", onclick: () => saved(model, state) }, "Save state as file");
    open("The link works on this computer only", [
      el(
        "p",
        {},
        "To share the state with others, save it as a file. They can open the file from the menu … on this page.",
      ),
      el("pre", { tabIndex: 0 }, link),
      keep,
    ]);
    if (copied) say(copiedLink());
  };

  const copiedLink = () =>
    model.get("internal") ? "Link copied. It is internal: it contains the original counts." : "Link copied";

  const sync = () => {
    root.classList.toggle("sdc-internal", model.get("internal"));
    undo.ariaDisabled = String(!model.get("can_undo"));
    redo.ariaDisabled = String(!model.get("can_redo"));
    problem.textContent = model.get("problem");
  };
  for (const name of ["can_undo", "can_redo", "problem", "internal"]) model.on(`change:${name}`, together(sync));
  sync();

  /** @param {import("./dom.js").Message} message @param {BlobPart[]} buffers */
  const hear = (message, buffers) => {
    if (message.type === "file") save(message.name, buffers, message.kind);
    else if (message.type === "explain") {
      open(message.title, explained(message));
      body.querySelector("input")?.focus();
    } else if (message.type === "code") {
      open(
        "Python code for these results",
        [el("p", {}, "Run this code in a notebook or a Python session:"), el("pre", { tabIndex: 0 }, message.text)],
        message.text,
      );
    } else if (message.type === "link") {
      const url = new URL(location.href);
      url.searchParams.set(linkName(model), message.state);
      if (message.tab) url.searchParams.set("tab", message.tab);
      else url.searchParams.delete("tab");
      try {
        history.replaceState(history.state, "", url);
      } catch {
        /* an embedded page may not; the link still works */
      }
      url.searchParams.delete("story"); // whoever is sent this state is in no story
      if (LOCAL.includes(location.hostname)) only(url.href, message.state);
      else put(url.href, copiedLink());
    } else if (message.type === "say") say(message.text);
  };
  model.on("msg:custom", hear);
  const state = linked(model);
  let forget = () => {};
  if (served && !model.get("plain")) forget = keeping(model, notice);
  else if (state && !model.get("plain")) model.send({ type: "state", state });
  const tab = new URLSearchParams(location.search).get("tab");
  if (state && tab !== null) model.send({ type: "tab", index: Number(tab) });
  const told = home ? telling(model, story, (link) => (link.startsWith("#") ? home : prefix) + link) : () => {};
  const watched = served ? watching(ended) : () => {};
  return () => {
    forget();
    told();
    watched();
    model.off("msg:custom", hear);
    document.removeEventListener("click", elsewhere);
    document.removeEventListener("click", word);
    document.removeEventListener("sdc:saved", savedFile);
    document.removeEventListener("click", pressed, true);
    dialog.remove();
  };
};
export default { render };
