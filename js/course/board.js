// @ts-check
// The board of the trainer: what the room did, drawn by the server again and again, and the buttons.
(() => {
  const now = /** @type {HTMLElement} */ (document.getElementById("now"));
  const clock = /** @type {HTMLElement} */ (document.getElementById("clock"));
  const status = /** @type {HTMLElement} */ (document.getElementById("status"));
  const base = document.body.dataset.base ?? "/";
  /** @type {WebSocket | null} */
  let socket = null;
  /** The step of the room, which the server states first. */
  let step = NaN;
  let minutes = 0;
  let begun = Date.now();
  let wait = 500;
  let lost = false;
  /** @param {Record<string, any>} told */
  const say = (told) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(told));
    // What the trainer selects while the page connects is sent as soon as it is connected.
    if (socket?.readyState === WebSocket.CONNECTING) socket.addEventListener("open", () => say(told), { once: true });
  };
  const left = /** @type {HTMLElement} */ (clock.firstElementChild);
  const steps = /** @type {HTMLSelectElement} */ (document.getElementById("step"));
  const previous = /** @type {HTMLButtonElement} */ (document.getElementById("previous"));
  const next = /** @type {HTMLButtonElement} */ (document.getElementById("next"));
  /** Names of the sections that the trainer opened. @type {Set<string>} */
  const open = new Set();
  /** The step that the page shows, which a trainer may have left already. */
  let drawnStep = -1;
  const tick = () => {
    const seconds = Math.max(0, Math.round((Date.now() - begun) / 1000));
    const over = seconds - minutes * 60;
    const shown = Math.abs(over);
    left.textContent = `${over > 0 ? "over by " : ""}${Math.floor(shown / 60)}:${String(shown % 60).padStart(2, "0")}`;
    clock.classList.toggle("over", over > 0);
  };
  setInterval(tick, 500);
  /** @param {number} chosen */
  const show = (chosen) => {
    if (!Number.isNaN(chosen)) say({ type: "show", step: chosen });
  };
  /** @type {Record<string, () => void>} */
  const acts = {
    previous: () => show(step - 1),
    next: () => show(step + 1),
    everybody: () => {
      say({ type: "everybody" });
      status.textContent = "Everyone was moved to this step.";
      setTimeout(() => {
        status.textContent = "";
      }, 5000);
    },
    reveal: () => say({ type: "reveal" }),
    clock: () => say({ type: "begin" }),
  };
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    for (const menu of document.querySelectorAll("header details")) menu.removeAttribute("open");
  });
  steps.addEventListener("change", () => {
    step = Number(steps.value);
    show(step);
  });
  for (const [id, act] of Object.entries(acts)) document.getElementById(id)?.addEventListener("click", act);
  now.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("[data-act=remove]")) say({ type: "remove" });
  });
  const connect = () => {
    socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${base}course/board/socket`);
    socket.addEventListener("message", (event) => {
      const told = JSON.parse(event.data);
      wait = 500;
      // A server that comes again does not know where the room was.
      if (lost && told.step !== step) show(step);
      lost = false;
      step = told.step;
      steps.value = String(step);
      minutes = told.minutes;
      begun = Date.now() - told.since * 1000;
      status.textContent = "";
      // The list of participants stays open; notes of the next step could show its hint to everyone.
      for (const part of now.querySelectorAll("details")) {
        const section = part.getAttribute("data-name") ?? "";
        if (part.open) open.add(section);
        else open.delete(section);
      }
      if (drawnStep !== step) open.delete("trainer");
      drawnStep = step;
      now.innerHTML = told.html; // made by the server, which escapes all that others wrote
      for (const part of now.querySelectorAll("details")) part.open = open.has(part.getAttribute("data-name") ?? "");
      previous.disabled = step === 0;
      next.disabled = step === steps.length - 1;
      const reveal = /** @type {HTMLButtonElement | null} */ (document.getElementById("reveal"));
      if (reveal) {
        const label = now.firstElementChild?.getAttribute("data-reveal");
        reveal.hidden = !label;
        reveal.textContent = label ?? "";
      }
      tick();
    });
    socket.addEventListener("close", () => {
      lost = true;
      status.textContent = "Cannot reach the server. If this message stays, open the trainer's address again.";
      // The page is asked for first: by the key in its address the trainer is known to a server that comes again.
      setTimeout(
        () =>
          fetch(location.href)
            .catch(() => null)
            .then(connect),
        wait,
      );
      wait = Math.min(wait * 2, 8000);
    });
  };
  connect();
})();
