// @ts-check
// Whether somebody still answers: a page whose kernel has ended says so, instead of showing numbers that no
// longer follow what is typed beside them.
import { el } from "./dom.js";

const EVERY = 1500;
const GONE = "The session of this page has ended.";
const AWAY = "Cannot reach the server.";
const STILL = "Cannot reach the server yet. Please try again in a few minutes.";
const BUSY = "Computing … Results appear when the computation is complete.";
// Seconds of waiting that are said, and after which a session may be stuck.
const [LONG, STUCK] = [1, 10];

/**
 * Ask the server about the kernel of this page, and tell in `place` when it is gone.
 * @param {HTMLElement} place
 */
export const watching = (place) => {
  const { kernelId, baseUrl } = document.body.dataset;
  if (!kernelId || !baseUrl) return () => {};
  const address = `${baseUrl.replace(/voila\/$/, "")}api/kernels/${kernelId}`;
  let [misses, alone, timer, over] = [0, 0, 0, false];

  const reach = () => fetch(address, { cache: "no-store", signal: AbortSignal.timeout(1500) });
  const start = async () => {
    try {
      await reach();
    } catch {
      // In place of this page the browser would show one of its own.
      return say(STILL);
    }
    location.reload();
  };
  const interrupt = () => {
    const token = /(?:^|; )_xsrf=([^;]*)/.exec(document.cookie)?.[1] ?? "";
    fetch(`${address}/interrupt`, { method: "POST", headers: { "X-XSRFToken": token } }).catch(() => {});
  };
  const begin = el("button", { type: "button", class: "sdc-primary", onclick: start }, "Restart session");
  // The seconds are for who sees them; read aloud, each would be said anew.
  const seconds = el("span", { "aria-hidden": "true" });
  const stop = el("button", { type: "button", class: "sdc-primary", onclick: interrupt }, "Stop");
  /** @param {number} waiting */
  const busy = (waiting) => {
    if (waiting <= LONG) return place.replaceChildren();
    seconds.textContent = ` ${Math.round(waiting)} s `;
    if (!place.contains(stop)) place.replaceChildren(BUSY, seconds, stop);
    if (waiting > STUCK && !place.contains(begin))
      place.append(" ", begin, " with the tables and settings of this tab.");
  };
  /** @param {string} why */
  const say = (why) => place.replaceChildren(`${why} `, begin, " with the tables and settings of this tab.");
  /** @param {string} why */
  const tell = (why) => {
    over = true;
    say(`${why} The page no longer responds to input.`);
    for (const part of document.querySelectorAll(".sdc-main, .sdc-header .sdc-actions")) {
      part.classList.add("sdc-gone");
      part.toggleAttribute("inert", true);
    }
    document.querySelector("dialog[open]")?.removeAttribute("open");
  };
  const ask = async () => {
    clearTimeout(timer);
    if (over) return;
    try {
      const answer = await reach();
      misses = 0;
      if (answer.ok) {
        const { connections, waiting } = await answer.json();
        alone = connections ? 0 : alone + 1;
        busy(waiting);
        // A page connects anew by itself after a short break; later than that it has given up.
        if (alone > 20) return tell("The connection to the server was lost.");
      } else if (answer.status === 404) {
        return tell((await answer.json().catch(() => ({}))).message || GONE);
      } else if ([401, 403].includes(answer.status)) return tell(GONE);
    } catch {
      misses += 1;
      if (misses > 1) return tell(AWAY);
    }
    timer = setTimeout(ask, misses ? 500 : EVERY);
  };
  // A laptop that wakes up asks at once.
  const woken = () => {
    if (!document.hidden) ask();
  };
  document.addEventListener("visibilitychange", woken);
  addEventListener("online", woken);
  timer = setTimeout(ask, EVERY);
  return () => {
    over = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", woken);
    removeEventListener("online", woken);
  };
};
