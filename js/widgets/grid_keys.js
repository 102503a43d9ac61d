// @ts-check
// The keys of the grid.
import { near } from "./dom.js";
import { commit, inSelection, restore, send } from "./grid_edits.js";
import { field, find, go, select, stops } from "./grid_places.js";
import { complain } from "./grid_problem.js";
import { within } from "./numbers.js";

/** @param {import("./grid.js").Grid} g @param {KeyboardEvent} event */
export const press = (g, event) => {
  const stop = near(event, "input, button");
  const spot = stop && find(g, stop);
  if (!spot || event.isComposing) return;
  const { key, shiftKey: shift } = event;
  const ctrl = event.ctrlKey || event.metaKey;
  const input = field(event);
  const [r, c] = g.extent && shift ? g.extent : spot;
  const wasLeaving = g.leaving;
  if (key !== "Shift") g.leaving = false;
  /** @param {[row: number, column: number]} to */
  const move = (to) => {
    event.preventDefault();
    if (g.editing) commit(g);
    if (shift && key !== "Enter" && input) select(g, [within(to[0], 0, g.R - 1), within(to[1], 0, g.C - 1)]);
    else {
      go(g, to[0], to[1]);
      select(g, null);
    }
  };
  /** @type {Record<string, [down: number, along: number]>} */
  const steps = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    PageUp: [-10, 0],
    PageDown: [10, 0],
  };
  if (ctrl && /^[zy]$/i.test(key)) {
    if (g.editing && g.editing.value !== g.shown[g.inputs.indexOf(g.editing)]) return;
    event.preventDefault();
    g.model.send({ type: key.toLowerCase() === "y" || shift ? "redo" : "undo" });
  } else if (ctrl && shift && key === " " && input && !g.editing) {
    // Ctrl+A is left to the field, whose text it selects.
    event.preventDefault();
    go(g, 0, 0);
    select(g, [g.R - 1, g.C - 1]);
  } else if (key === "Tab") {
    if (wasLeaving) return;
    const all = stops(g),
      next = all[all.indexOf(stop) + (shift ? -1 : 1)];
    if (g.editing) commit(g);
    if (!next) return;
    event.preventDefault();
    next.focus();
    select(g, null);
  } else if (key === "Escape") {
    if (g.editing) restore(g);
    else {
      g.leaving = true;
      select(g, null);
    }
    g.problems = [];
    complain(g);
  } else if (key === "Enter" && input) {
    if (!g.editing && input.value !== g.shown[g.inputs.indexOf(input)]) g.editing = input;
    move([within(spot[0] + (shift ? -1 : 1), 0, g.R - 1), spot[1]]);
  } else if (key === "F2" && input) {
    g.editing = input;
    input.setSelectionRange(input.value.length, input.value.length);
  } else if (input && g.editing && /^(ArrowLeft|ArrowRight|Home|End)$/.test(key)) {
    return;
  } else if (steps[key]) {
    const [down, along] = steps[key];
    move(
      ctrl
        ? [down < 0 ? 0 : down ? g.R - 1 : r, along < 0 ? 0 : along ? g.C - 1 : c]
        : [within(r + down, 0, Math.max(g.R - 1, r + Math.sign(down))), c + along],
    );
  } else if (key === "Home" || key === "End") {
    move(key === "Home" ? [ctrl ? 0 : r, 0] : [ctrl ? g.R - 1 : r, g.C - 1]);
  } else if (/^(Delete|Backspace)$/.test(key) && g.extent) {
    event.preventDefault();
    send(g, inSelection(g, (row, column) => /** @type {import("./grid.js").Edit} */ ([row, column, ""])).flat());
  }
};
