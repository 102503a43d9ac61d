// @ts-check
// The controls of declared parameters: a number with its slider and box, a choice, a switch, shares that sum to 1.
// `value` comes from the kernel and is what is true; `asked` goes to it, and the latest wins while it is busy.
import { el, fresh, together } from "./dom.js";

/** @param {{ model: import("./dom.js").Model, el: HTMLElement }} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-control");
  const problem = el("p", { class: "sdc-wrong", role: "alert", id: fresh("problem") });
  let turn = model.get("answered");
  let moved = null; // the slider that a person last moved
  const ask = (value, which = null) => {
    moved = which;
    model.set("asked", { value, turn: ++turn });
    model.save_changes();
  };
  let show = null;
  let shown = null; // what it is the control of
  const build = (spec) => {
    if (spec === shown) return;
    shown = spec;
    show = { number, choice, switch: toggle, shares }[spec.kind](
      spec,
      ask,
      problem.id,
      () => model.get("locked"),
      (index) => model.send({ type: "lock", index }),
    );
    root.replaceChildren(...show.nodes, ...(spec.help ? told(spec) : []), problem);
  };
  const sync = () => {
    build(model.get("spec"));
    // An answer to an earlier question must not pull back what a hand or a key has moved on since.
    show.set(model.get("value"), model.get("answered") < turn ? moved : null);
    problem.textContent = model.get("problem");
  };
  for (const name of ["spec", "value", "problem", "locked", "answered"]) model.on(`change:${name}`, together(sync));
  sync();
};

// What a setting does is said by touch and key, too, not only to a mouse that rests on it.
const told = (spec) => {
  const words = el("p", { class: "sdc-help sdc-mute", id: fresh("help"), hidden: !spec.show_help }, spec.help);
  if (spec.show_help) return [words];
  const why = el(
    "button",
    { type: "button", class: "sdc-why", "aria-expanded": "false", "aria-controls": words.id },
    "?",
  );
  why.setAttribute("aria-label", `What is ${spec.label}?`);
  why.addEventListener("click", () => {
    words.hidden = !words.hidden;
    why.setAttribute("aria-expanded", String(!words.hidden));
  });
  return [why, words];
};

const places = (step) => Math.min(6, (String(step).split(".")[1] || "").length);

// One slider and its number box; both name themselves with the same label.
const pair = (label, chip, help, low, high, step, ask, problem) => {
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
  });
  range.addEventListener("input", () => {
    box.value = range.value;
    ask(Number(range.value));
  });
  box.addEventListener("change", () => {
    if (box.value !== "") ask(Number(box.value));
    else box.value = last;
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") box.value = last;
  });
  let last = "";
  const set = (value) => {
    last = String(Number(Number(value).toFixed(4)));
    if ((places(step) && last.split(".")[1] === undefined) || (last.split(".")[1] || "").length < places(step))
      last = Number(value).toFixed(places(step));
    range.value = value;
    if (document.activeElement !== box || Number(box.value) !== Number(last)) box.value = last;
  };
  const name = el("span", { id, title: help }, chip ? el("span", { class: `sdc-chip sdc-${chip}` }) : null, label);
  return { name, range, box, set };
};

function number(spec, ask, problem) {
  const one = pair(spec.label, null, spec.help, spec.low, spec.high, spec.step, (value) => ask(value, 0), problem);
  if (!spec.slider) one.range.hidden = true;
  return {
    nodes: [el("div", { class: `sdc-row ${spec.slider ? "" : "sdc-boxed"}` }, one.name, one.range, one.box)],
    set: (value, moving) => {
      if (moving === null) one.set(value);
    },
  };
}

function shares(spec, ask, problem, locked, lock) {
  const rows = spec.names.map((label, index) => {
    const one = pair(label, spec.roles[index], spec.help, 0, 1, 0.01, (value) => ask([index, value], index), problem);
    const button = el("button", { type: "button", "aria-label": `Lock ${label}`, onclick: () => lock(index) }, "lock");
    return { ...one, button, node: el("div", { class: "sdc-row sdc-lockable" }, one.name, one.range, one.box, button) };
  });
  return {
    nodes: rows.map((row) => row.node),
    set: (values, moving) =>
      rows.forEach((row, index) => {
        const held = locked() === index;
        if (index !== moving) row.set(values[index]);
        row.button.setAttribute("aria-pressed", held);
        row.button.textContent = held ? "locked" : "lock";
        row.range.disabled = row.box.disabled = held;
      }),
  };
}

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
