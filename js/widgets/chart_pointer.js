// @ts-check
// Selection in a chart by a dragged pointer and by arrow keys.

/** Time between two positions that are sent, in milliseconds. */
export const INTERVAL = 80;

/** Distance in pixels from which a pressed pointer is dragged. */
const START = 4;

/**
 * Return the step that a key stands for: 1, -1, or 0 for other keys.
 *
 * @param {string} key
 */
export const stepOf = (key) => {
  if (key === "ArrowRight" || key === "ArrowUp") return 1;
  if (key === "ArrowLeft" || key === "ArrowDown") return -1;
  return 0;
};

/**
 * Send positions of a pointer while it is dragged: at most one per interval, and the last one.
 *
 * Lines that plotly lets users move are left to plotly.
 *
 * @param {HTMLElement} plot
 * @param {(event: MouseEvent) => void} send
 * @param {() => void} ended is called after a drag, before the browser's click
 */
export const followDrags = (plot, send, ended) => {
  /** @type {MouseEvent | null} */
  let start = null;
  let isDragged = false;
  /** @type {MouseEvent | null} */
  let last = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const sendLast = () => {
    timer = undefined;
    if (!last) return;
    send(last);
    last = null;
    timer = setTimeout(sendLast, INTERVAL);
  };
  /** @param {PointerEvent} event */
  const move = (event) => {
    if (!start) return;
    isDragged ||= Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) >= START;
    if (!isDragged) return;
    last = event;
    if (timer === undefined) sendLast();
  };
  const end = () => {
    removeEventListener("pointermove", move, true);
    removeEventListener("pointerup", end, true);
    removeEventListener("pointercancel", end, true);
    if (isDragged) {
      clearTimeout(timer);
      timer = undefined;
      if (last) send(last);
      ended();
    }
    start = last = null;
    isDragged = false;
  };
  plot.addEventListener("pointerdown", (event) => {
    const isLine = /** @type {Element} */ (event.target).closest(".layer-above");
    if (event.button || event.pointerType === "touch" || isLine) return;
    start = event;
    addEventListener("pointermove", move, true);
    addEventListener("pointerup", end, true);
    addEventListener("pointercancel", end, true);
  });
};
