// @ts-check
// What is made only when somebody sees it: the kernel is told what is in sight, and need not make the rest. What was not
// made is blank, for whoever sees the whole page, and is asked for when nothing has happened for a while.
import { fresh } from "./dom.js";

// What is out of sight is asked for after so many milliseconds without a change.
const QUIET = 1000;

/**
 * Watch whether a place is in sight.
 *
 * @template {Record<string, any> & { old: boolean }} T
 * @param {import("./dom.js").Model<T>} model
 * @param {HTMLElement} place blank while it waits
 * @param {{ seen?: () => void, quiet?: () => void }} [on] what to do when it comes into sight, and when nothing more
 *   comes from the kernel while it waits
 */
export const sight = (model, place, { seen = () => {}, quiet = () => {} } = {}) => {
  const view = fresh("view");
  /** @type {boolean | undefined} */
  let visible;
  let timer = 0;
  /** @param {import("./dom.js").Message} message */
  const tell = (message) => {
    try {
      model.send(message);
    } catch {
      /* the page is being left, and nobody hears it any more */
    }
  };
  const ask = () => {
    const left = (globalThis.sdcBatch?.last ?? 0) + QUIET - performance.now();
    if (left > 1) timer = setTimeout(ask, left);
    else if (model.get("old")) tell({ type: "draw" });
    else quiet();
  };
  const wait = () => {
    clearTimeout(timer);
    place.classList.add("sdc-old");
    timer = setTimeout(ask, QUIET);
  };
  const done = () => {
    clearTimeout(timer);
    if (!model.get("old")) place.classList.remove("sdc-old");
  };
  /** @param {boolean} now */
  const look = (now) => {
    visible = now;
    tell({ type: "seen", view, seen: now });
    if (now) seen();
  };
  const observer = new IntersectionObserver(
    (entries) => {
      const now = entries[entries.length - 1].isIntersecting;
      if (now !== visible) look(now);
    },
    { rootMargin: "150px" },
  );
  observer.observe(place);
  const changed = () => {
    if (model.get("old")) wait();
  };
  model.on("change:old", changed);
  changed();
  return {
    visible: () => visible,
    wait,
    done,
    stop: () => {
      clearTimeout(timer);
      look(false);
      observer.disconnect();
      model.off("change:old", changed);
    },
  };
};
