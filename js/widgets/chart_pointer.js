// @ts-check
// Selection in a chart by a dragged pointer and by arrow keys.

/** Time between two positions that are sent, in milliseconds. */
export const INTERVAL = 80;

/** Time after which a position is sent although the last one is not answered, in milliseconds. */
export const PATIENCE = 2000;

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
 * A position waits until the last one is answered, so that positions do not pile up. Lines that plotly lets users move
 * are left to plotly.
 *
 * @param {HTMLElement} plot
 * @param {(event: MouseEvent) => void} send
 * @param {() => void} ended is called after a drag, before the browser's click
 * @returns {() => void} is to be called when a position is answered
 */
export const followDrags = (plot, send, ended) => {
  /** @type {MouseEvent | null} */
  let start = null;
  let isDragged = false;
  /** @type {MouseEvent | null} */
  let last = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let sentAt = -Infinity;
  let isAnswered = true;
  const sendLast = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!last) return;
    const wait = (isAnswered ? INTERVAL : PATIENCE) - (performance.now() - sentAt);
    if (wait > 0) {
      timer = setTimeout(sendLast, wait);
      return;
    }
    send(last);
    last = null;
    isAnswered = false;
    sentAt = performance.now();
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
      isAnswered = true;
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
  return () => {
    isAnswered = true;
    sendLast();
  };
};
