// @ts-check
// What a page remembers in its tab: its own state, for a reload or Back, and its table, for the next dashboard.
import { el } from "./dom.js";

const TABLE = "sdc:table";

/** @typedef {import("./dom.js").Model<{ here: string, nth: number, title: string, came: string }>} Kept */

/**
 * The name of a page among those of a notebook, which may hold several, also of one kind.
 * @param {Kept} model
 */
const ownName = (model) => {
  const nth = model.get("nth");
  return model.get("here").replace(/\.ipynb$/, "") + (nth > 1 ? `-${nth}` : "");
};
/**
 * The state in the address that is for this page.
 * @param {Kept} model
 */
export const linked = (model) => {
  const given = new URLSearchParams(location.search);
  return given.get(`state-${ownName(model)}`) ?? given.get("state");
};
/** @param {Kept} model */
export const linkName = (model) =>
  document.querySelectorAll(".sdc-header").length > 1 ? `state-${ownName(model)}` : "state";

/** @param {string} name */
const remembered = (name) => {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
};
/**
 * Keep a value, or nothing any more; a tab may keep nothing, or not so much, and then not what was there before either.
 * @param {string} name @param {unknown} value
 * @returns {boolean} whether it did
 */
const remember = (name, value) => {
  try {
    sessionStorage.removeItem(name);
    if (value) sessionStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
};

const forgetAll = () => {
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith("sdc:")) sessionStorage.removeItem(name);
  } catch {
    /* a tab that may keep nothing has nothing to forget */
  }
};

/**
 * Keep what the kernel says of the state of this page, and give back what was there before.
 * @param {Kept} model
 * @param {HTMLElement} notice where it is said what was kept, with ways to be without it
 */
export const keeping = (model, notice) => {
  const here = model.get("here");
  const own = `sdc:${ownName(model)}`;
  let lost = "";
  /** @param {import("./dom.js").Message} message */
  const hear = (message) => {
    const at = Date.now();
    if (message.type === "keep") {
      // A course asks whether this state meets the goal of its step, and keeps it, unless the table is one's own.
      const { state, brought } = message;
      document.dispatchEvent(new CustomEvent("sdc:state", { detail: { here, state, brought } }));
      const kept = remember(own, state && { state, search: location.search, at });
      lose(kept && state ? "" : "reloading");
      // The story's table is nobody's own: it goes nowhere, and takes the place of none.
      const told = !message.own && new URLSearchParams(location.search).has("story");
      if (told) return;
      if (message.table && !remember(TABLE, { table: message.table, here, title: model.get("title"), at })) {
        lose(lost || "opening another page");
      } else if (!message.table && remembered(TABLE)?.here === here) remember(TABLE, null);
    }
  };
  /** @param {string} kind @param {string} text */
  const button = (kind, text) => {
    const press = () => {
      if (kind === "forget") forgetAll();
      else remember(TABLE, null);
      model.send({ type: kind });
    };
    return el("button", { type: "button", onclick: press }, text);
  };
  const tell = () => {
    const came = model.get("came");
    const ways = [button("example", "Show the example"), " ", button("forget", "Delete my table")];
    const not = `This browser tab cannot save your table. After ${lost}, the page shows the example again.`;
    notice.replaceChildren(...(lost ? [not] : came ? [`${came} `, ...ways] : []));
  };
  /** @param {string} what begins anew, "" for nothing */
  const lose = (what) => {
    if (what === lost) return;
    lost = what;
    tell();
  };
  model.on("change:came", tell);
  model.on("msg:custom", hear);

  const link = linked(model);
  const before = remembered(own);
  const carried = remembered(TABLE);
  const way = /** @type {PerformanceNavigationTiming} */ (performance.getEntriesByType("navigation")[0])?.type;
  const again = way === "reload" || way === "back_forward";
  const same = before?.search === location.search && (again || !link);
  // What was done to what the address brought stands upon it, so that Undo and Reset lead back there.
  if (link) model.send({ type: "state", state: link });
  if (same) model.send({ type: "restore", state: before.state });
  const news = carried && carried.here !== here && carried.at > (before?.at ?? 0);
  if (news && !again && !link) model.send({ type: "bring", table: carried.table, from: carried.title });
  tell();
  return () => {
    model.off("msg:custom", hear);
    model.off("change:came", tell);
  };
};
