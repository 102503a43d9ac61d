// @ts-check
// Before an audience the answer stays in sight: once it is scrolled away, a line at the foot of the window says it.
import { el } from "./dom.js";

/**
 * Return the line, and what takes it away. It stands outside of the page, whose parts hold what is fixed in them.
 * @param {Element} answer
 */
export const pin = (answer) => {
  const line = el("p", { class: "sdc sdc-pinned", "aria-hidden": "true", hidden: true });
  document.body.append(line);
  /** @param {IntersectionObserverEntry[]} changes */
  const seen = (changes) => {
    for (const one of changes) line.hidden = one.isIntersecting;
  };
  const sight = new IntersectionObserver(seen, { threshold: 0.9 });
  sight.observe(answer);
  const end = () => {
    sight.disconnect();
    line.remove();
  };
  return { line, end };
};
