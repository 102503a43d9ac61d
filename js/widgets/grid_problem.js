// @ts-check
// What was wrong with an edit, said beside its cell.
import { at } from "./grid_places.js";
import { put, within } from "./numbers.js";

/** @param {import("./grid.js").Grid} g */
export const complain = (g, chosen = g.problems[0]) => {
  g.problem.hidden = !chosen;
  for (const input of g.inputs)
    if (input?.ariaInvalid) {
      input.removeAttribute("aria-invalid");
      input.removeAttribute("aria-describedby");
    }
  for (const [r, c] of g.problems) at(g, r - g.top, c - g.left)?.setAttribute("aria-invalid", "true");
  const others = g.problems.length - 1;
  put(
    g.problem,
    "textContent",
    chosen ? chosen[2] + (others > 0 ? ` (and ${others} more cell${others > 1 ? "s" : ""})` : "") : "",
  );
  const anchor = chosen && g.cells[(chosen[0] - g.top) * g.C + chosen[1] - g.left];
  if (!anchor) return;
  at(g, chosen[0] - g.top, chosen[1] - g.left)?.setAttribute("aria-describedby", g.problem.id);
  g.problem.anchor = anchor;
  place(g);
};

/** @param {import("./grid.js").Grid} g */
export const place = (g) => {
  if (g.problem.hidden || !g.problem.anchor) return;
  const [box, cell] = [g.root.getBoundingClientRect(), g.problem.anchor.getBoundingClientRect()];
  const [before, after] = [cell.left - box.left - 6, box.right - cell.right - 6];
  const room = Math.max(before, after);
  // Beside the cell, so that the one below, where Enter leads, stays in sight; below it only if there is no room.
  const beside = room >= 180;
  g.problem.style.maxWidth = `${Math.min(340, beside ? room : box.width)}px`;
  const width = g.problem.offsetWidth;
  const outside = after === room ? box.width - room : before - width;
  g.problem.style.left = `${beside ? outside : within(before, 0, box.width - width)}px`;
  g.problem.style.top = `${beside ? cell.top - box.top : cell.bottom - box.top + 6}px`;
};
