// @ts-check
// Bars of shares, a slider of the count each: drag, arrow keys, Page Up and Down, Home and End, or type into the box
// below.
// What is asked are always all the counts, so that the latest request holds every change before it.
import { el, fresh } from "./dom.js";

/**
 * @typedef {object} Traits
 * @property {string[]} names
 * @property {number} most
 * @property {number[][]} counts
 * @property {number[][]} shares
 * @property {number} ceiling
 * @property {{ counts: number[][], turn: number }} request
 * @property {string} problem
 * @property {number} turn
 * @property {number} answered
 */
/** @param {import("./dom.js").Context<Traits>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-distribution");
  const names = model.get("names");
  const axis = el("div", { class: "sdc-axis", "aria-hidden": true });
  const picture = el("div", { class: "sdc-bars" });
  const problem = el("p", { class: "sdc-wrong", role: "alert", id: fresh("problem") });
  const key = el(
    "div",
    { class: "sdc-key" },
    names.map((name, row) => el("span", {}, el("span", { class: `sdc-chip sdc-row-${row}` }), name)),
  );
  root.append(key, el("div", { class: "sdc-with-axis" }, axis, picture), problem);
  /** @type {ReturnType<typeof make>[][]} */
  let bars = [];
  /** @type {number[][]} */
  let counts = [];
  /** @type {{ ceiling: number } | null} the bar that a hand holds */
  let held = null;
  let waiting = false;
  let sent = model.get("answered");

  /** @param {number} row */
  const total = (row) => counts[row].reduce((sum, count) => sum + count, 0);
  // What stands above a place of the axis; one row of people, all in one category, has the share 1 whatever they are.
  /** @param {number} row @param {number} index @param {number} share */
  const countAt = (row, index, share) => {
    const rest = total(row) - counts[row][index];
    return rest ? (rest * share) / Math.max(1 - share, 1e-3) : counts[row][index];
  };
  const send = () => {
    sent += 1;
    model.set("request", { counts: structuredClone(counts), turn: sent });
    model.save_changes();
  };
  /** @param {number} row @param {number} index @param {number} count */
  const ask = (row, index, count) => {
    counts[row][index] = Math.max(0, Math.min(model.get("most"), Math.round(count)));
    paint();
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      send();
    });
  };
  /** @param {number} row @param {number} index */
  const make = (row, index) => {
    const name = `${names[row]}, category ${index + 1}`;
    const fill = el("div", { class: `sdc-fill sdc-row-${row}` });
    const bar = el(
      "div",
      {
        class: "sdc-track",
        role: "slider",
        tabIndex: 0,
        "aria-label": name,
        "aria-orientation": "vertical",
        "aria-valuemin": 0,
      },
      fill,
    );
    const box = el("input", {
      type: "number",
      min: 0,
      max: model.get("most"),
      step: 1,
      inputMode: "numeric",
      "aria-label": `${name}, count`,
      "aria-describedby": problem.id,
    });
    const share = el("span", { class: "sdc-share" });
    /** @param {PointerEvent} event @param {number} ceiling */
    const drag = (event, ceiling) => {
      const { bottom, height } = bar.getBoundingClientRect();
      const share = Math.min(1, Math.max(0, (bottom - event.clientY) / height)) * ceiling;
      ask(row, index, countAt(row, index, Math.min(share, 0.99)));
    };
    bar.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      held = { ceiling: model.get("ceiling") };
      bar.setPointerCapture(event.pointerId);
      bar.focus();
      event.preventDefault();
      drag(event, held.ceiling);
    });
    bar.addEventListener("pointermove", (event) => {
      if (held && bar.hasPointerCapture(event.pointerId)) drag(event, held.ceiling);
    });
    for (const end of ["pointerup", "pointercancel"])
      bar.addEventListener(end, () => {
        held = null;
        take();
      });
    bar.addEventListener("keydown", (event) => {
      const now = counts[row][index],
        top = Math.round(countAt(row, index, Math.min(model.get("ceiling"), 0.99))),
        page = Math.max(1, Math.round(total(row) / 20));
      /** @type {Record<string, number>} */
      const keys = {
        ArrowUp: now + 1,
        ArrowRight: now + 1,
        ArrowDown: now - 1,
        ArrowLeft: now - 1,
        PageUp: now + page,
        PageDown: now - page,
        Home: 0,
        End: top,
      };
      const next = keys[event.key];
      if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      ask(row, index, next);
    });
    box.addEventListener("change", () => {
      if (box.value === "" || !Number.isFinite(Number(box.value))) {
        box.value = String(counts[row][index]);
        return;
      }
      counts[row][index] = Number(box.value);
      send();
    });
    box.addEventListener("keydown", (event) => {
      if (event.key === "Escape") box.value = String(counts[row][index]);
    });
    return { bar, fill, box, share };
  };
  const build = () => {
    bars = counts.map((row, r) => row.map((_, index) => make(r, index)));
    picture.replaceChildren(
      ...counts[0].map((_, index) =>
        el(
          "div",
          { class: "sdc-category", role: "group", "aria-label": `Category ${index + 1}` },
          el(
            "div",
            { class: "sdc-tracks" },
            bars.map((row) => row[index].bar),
          ),
          el("strong", { "aria-hidden": true }, String(index + 1)),
          bars.map((row, r) =>
            el(
              "div",
              { class: "sdc-entry" },
              el("span", { "aria-hidden": true }, names[r]),
              row[index].box,
              row[index].share,
            ),
          ),
        ),
      ),
    );
  };
  const paint = () => {
    const top = held ? held.ceiling : model.get("ceiling");
    if (axis.dataset.top !== String(top)) {
      axis.dataset.top = String(top);
      axis.replaceChildren(...[1, 0.5, 0].map((part) => el("span", {}, String(Number((part * top).toFixed(3))))));
    }
    counts.forEach((row, r) =>
      row.forEach((count, index) => {
        const { bar, fill, box } = bars[r][index];
        const share = count / (total(r) || 1);
        fill.style.height = `${100 * Math.min(1, share / top)}%`;
        bar.setAttribute("aria-valuemax", String(model.get("most")));
        bar.setAttribute("aria-valuenow", String(count));
        bar.setAttribute("aria-valuetext", `${count} people, ${(100 * share).toFixed(1)} %`);
        if (document.activeElement !== box || Number(box.value) !== count) box.value = String(count);
      }),
    );
  };
  const take = () => {
    const now = model.get("counts");
    if (!now.length) return;
    problem.textContent = model.get("problem");
    model.get("shares").forEach((row, r) =>
      row.forEach((share, index) => {
        if (bars[r]?.[index]) bars[r][index].share.textContent = share.toFixed(3);
      }),
    );
    // The kernel's answer to an earlier request must not pull back a hand, or a key, that went on.
    const behind = held || waiting || model.get("answered") < sent;
    if (behind && counts.length && now[0].length === counts[0].length) return paint();
    const sized = counts.length !== now.length || counts[0].length !== now[0].length;
    counts = structuredClone(now);
    if (sized) {
      sent = model.get("answered");
      build();
      take();
      return;
    }
    paint();
  };
  model.on("change:turn", take);
  take();
};
export default { render };
