// @ts-check
// The controls of declared parameters: a number with its slider and box, a choice, a switch, shares that sum to 1.
// `value` comes from the kernel and is what is true; `request` goes to it, and the latest wins while it is busy.
import { el, flush, fresh, together } from "./dom.js";

/**
 * What a control is of: a setting as it was declared. What it has beside label and help depends on its kind.
 *
 * @typedef {object} Spec
 * @property {"number" | "choice" | "switch" | "shares" | "text"} kind
 * @property {string} label
 * @property {string} help
 * @property {boolean} show_help
 * @property {string} look "buttons": a choice is a row of them
 * @property {number} low
 * @property {number} high
 * @property {number} step
 * @property {number | null} unlimited the value that sets no limit
 * @property {boolean} slider
 * @property {Record<string, string>} options of a choice, and what they are called
 * @property {string[]} names of shares
 * @property {string[]} roles of shares
 */
/** @typedef {(value: any, which?: number | null) => void} Ask asks for a value, by the slider of this number */
/** @typedef {{ nodes: (Node | string)[], set: (value: any, moving: number | null) => void }} Shown */

/**
 * @typedef {object} Traits
 * @property {Spec} spec
 * @property {any} value
 * @property {{ value: any, turn: number }} request
 * @property {number | null} locked
 * @property {number} answered
 * @property {string} problem
 */
/** @param {import("./dom.js").Context<Traits>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-control");
  const problem = el("p", { class: "sdc-wrong", role: "alert", id: fresh("problem") });
  let turn = model.get("answered");
  /** @type {number | null} */
  let moved = null; // the slider that a person last moved
  /** @type {Ask} */
  const ask = (value, which = null) => {
    moved = which;
    model.set("request", { value, turn: ++turn });
    model.save_changes();
  };
  /** @type {Shown | undefined} */
  let show;
  /** @type {Spec | undefined} */
  let shown; // what it is the control of
  /** @param {Spec} spec */
  const build = (spec) => {
    if (spec === shown) return;
    shown = spec;
    show = { number, choice, switch: toggle, shares, text }[spec.kind](
      spec,
      ask,
      problem.id,
      () => model.get("locked"),
      (/** @type {number} */ index) => model.send({ type: "lock", index }),
    );
    root.replaceChildren(...show.nodes, ...(spec.help ? [told(spec, root)] : []), problem);
  };
  const sync = () => {
    build(model.get("spec"));
    // An answer to an earlier question must not pull back what a hand or a key has moved on since.
    show?.set(model.get("value"), model.get("answered") < turn ? moved : null);
    problem.textContent = model.get("problem");
  };
  for (const name of ["spec", "value", "problem", "locked", "answered"]) model.on(`change:${name}`, together(sync));
  // The answer comes after all that follows from the question.
  model.on("change:answered", flush);
  sync();
};

// What a setting does is said by touch and key, too, not only to a mouse that rests on it: one "?" a card says it of all.
/** @param {Spec} spec @param {HTMLElement} root */
const told = (spec, root) => {
  const folded = spec.show_help ? "" : " sdc-folded";
  if (folded) new ResizeObserver(() => requestAnimationFrame(() => asked(root))).observe(root);
  return el("p", { class: `sdc-help sdc-mute${folded}`, hidden: folded, title: spec.label }, spec.help);
};

/** @param {HTMLElement} root */
const asked = (root) => {
  const card = root.closest(".sdc-tabpanel > *, .sdc-card") ?? root;
  const title = card.querySelector(":scope > .sdc-title:first-child");
  const place = title ?? card;
  if (!place.querySelector(":scope > .sdc-why")) {
    const button = el("button", { type: "button", ariaExpanded: "false" }, "?");
    button.addEventListener("click", () => {
      button.ariaExpanded = String(button.ariaExpanded === "false");
      asked(root);
    });
    const why = el("span", { class: "sdc sdc-why" }, button);
    // Without a title, the button is at the end of the line of the first control.
    if (title) title.prepend(why);
    else place.firstElementChild?.after(why);
  }
  const why = /** @type {HTMLElement} */ (place.querySelector(":scope > .sdc-why > button"));
  const helps = [...card.querySelectorAll(".sdc-folded")].filter((help) => help instanceof HTMLElement);
  const seen = helps.filter((help) => help.parentElement?.offsetParent);
  for (const help of helps) help.hidden = why.ariaExpanded === "false";
  why.hidden = !seen.length;
  why.ariaLabel = `What is ${seen.map((help) => help.title).join(", ")}?`;
};

/** @param {number} step */
const places = (step) => Math.min(6, (String(step).split(".")[1] || "").length);

/** What the box of a limit says where nothing is limited. */
const NO_LIMIT = "no limit";

/**
 * One slider and its number box; both name themselves with the same label.
 *
 * @param {string} label
 * @param {string | null} chip the role whose colour stands before the label
 * @param {string} help
 * @param {number} low
 * @param {number} high
 * @param {number} step
 * @param {(value: number) => void} ask
 * @param {string} problem the id of the sentence that says what is wrong
 * @param {number | null} unlimited the value that sets no limit: its box is empty and says so
 */
const pair = (label, chip, help, low, high, step, ask, problem, unlimited = null) => {
  const id = fresh("label");
  const shared = { min: low, max: high, step };
  const range = el("input", { type: "range", ...shared, "aria-labelledby": id, title: help });
  const box = el("input", {
    type: "number",
    min: low,
    max: high,
    step: "any",
    "aria-labelledby": id,
    "aria-describedby": problem,
    inputMode: "decimal",
    placeholder: unlimited === null ? "" : NO_LIMIT,
  });
  range.addEventListener("input", () => {
    box.value = Number(range.value) === unlimited ? "" : range.value;
    ask(Number(range.value));
  });
  box.addEventListener("change", () => {
    // An emptied box takes the limit away.
    if (box.value !== "") ask(Number(box.value));
    else if (unlimited !== null) ask(unlimited);
    else box.value = last;
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") box.value = last;
  });
  range.addEventListener("keydown", (event) => {
    // Digits that are typed on the slider go to the number box.
    if (!/^[\d.,-]$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    box.focus();
    box.select();
  });
  let last = "";
  /** @param {number} value */
  const set = (value) => {
    last = String(Number(Number(value).toFixed(4)));
    if ((places(step) && last.split(".")[1] === undefined) || (last.split(".")[1] || "").length < places(step))
      last = Number(value).toFixed(places(step));
    range.value = String(value);
    if (unlimited !== null) {
      if (Number(value) === unlimited) last = "";
      range.setAttribute("aria-valuetext", last || NO_LIMIT);
    }
    if (document.activeElement !== box || Number(box.value) !== Number(last)) box.value = last;
  };
  const name = el("span", { id, title: help }, chip ? el("span", { class: `sdc-chip sdc-${chip}` }) : null, label);
  return { name, range, box, set };
};

/** @param {Spec} spec @param {Ask} ask @param {string} problem @returns {Shown} */
function number(spec, ask, problem) {
  const send = (/** @type {number} */ value) => ask(value, 0);
  const one = pair(spec.label, null, spec.help, spec.low, spec.high, spec.step, send, problem, spec.unlimited);
  if (!spec.slider) one.range.hidden = true;
  return {
    nodes: [el("div", { class: `sdc-row ${spec.slider ? "" : "sdc-boxed"}` }, one.name, one.box, one.range)],
    set: (value, moving) => {
      if (moving === null) one.set(value);
    },
  };
}

/**
 * @param {Spec} spec
 * @param {Ask} ask
 * @param {string} problem
 * @param {() => number | null} locked which share must not change
 * @param {(index: number) => void} lock
 * @returns {Shown}
 */
function shares(spec, ask, problem, locked, lock) {
  const rows = spec.names.map((label, index) => {
    const one = pair(label, spec.roles[index], spec.help, 0, 1, 0.01, (value) => ask([index, value], index), problem);
    const button = el("button", { type: "button", "aria-label": `Lock ${label}`, onclick: () => lock(index) }, "lock");
    return { ...one, button, node: el("div", { class: "sdc-row sdc-lockable" }, one.name, one.box, button, one.range) };
  });
  return {
    nodes: rows.map((row) => row.node),
    set: (values, moving) =>
      rows.forEach((row, index) => {
        const held = locked() === index;
        if (index !== moving) row.set(values[index]);
        row.button.setAttribute("aria-pressed", String(held));
        row.button.textContent = held ? "locked" : "lock";
        row.range.disabled = row.box.disabled = held;
      }),
  };
}

/** @param {Spec} spec @param {Ask} ask @param {string} problem @returns {Shown} */
function choice(spec, ask, problem) {
  const options = Object.entries(spec.options);
  if (spec.look === "buttons") {
    const group = fresh("choice");
    const inputs = options.map(([value]) =>
      el("input", { type: "radio", name: group, value, onchange: () => ask(value) }),
    );
    const labels = options.map(([, words], index) => el("label", {}, inputs[index], words));
    return {
      nodes: [
        el(
          "fieldset",
          { title: spec.help, "aria-describedby": problem },
          el("legend", {}, spec.label),
          el("span", { class: "sdc-segment" }, labels),
        ),
      ],
      set: (value) =>
        inputs.forEach((input) => {
          input.checked = input.value === value;
        }),
    };
  }
  const id = fresh("choice");
  const select = el(
    "select",
    { id, "aria-describedby": problem, title: spec.help, onchange: () => ask(select.value) },
    options.map(([value, words]) => el("option", { value }, words)),
  );
  return {
    nodes: [el("label", { htmlFor: id }, spec.label), " ", select],
    set: (value) => {
      select.value = value;
    },
  };
}

/** @param {Spec} spec @param {Ask} ask @param {string} problem @returns {Shown} */
function text(spec, ask, problem) {
  const id = fresh("text");
  const input = el("input", { type: "text", id, "aria-describedby": problem, title: spec.help, spellcheck: false });
  input.addEventListener("change", () => ask(input.value));
  return {
    nodes: [el("label", { htmlFor: id }, spec.label), " ", input],
    set: (value) => {
      if (document.activeElement !== input) input.value = value;
    },
  };
}

/** @param {Spec} spec @param {Ask} ask @returns {Shown} */
function toggle(spec, ask) {
  const box = el("input", { type: "checkbox", onchange: () => ask(box.checked) });
  return {
    nodes: [el("label", { title: spec.help }, box, " ", spec.label)],
    set: (value) => {
      box.checked = value;
    },
  };
}
export default { render };
