// @ts-check
// The way to a part of a page: into sight, with the focus where something is done there.
/**
 * Bring a part of the page into sight, and put the focus where something is done there.
 * @param {Element} inside
 * @param {string} place
 */
export const lead = (inside, place) => {
  const card = inside.closest(".sdc-page")?.querySelector(`.sdc-at-${place}`);
  if (!card) return;
  const first = card.querySelector(`[data-place="${place}"], select, input, button`);
  /** @type {HTMLElement | null} */ (first)?.focus({ preventScroll: true });
  // After a press of the mouse no browser marks the focus by itself.
  first?.classList.add("sdc-led");
  first?.addEventListener("blur", () => first.classList.remove("sdc-led"), { once: true });
  card.scrollIntoView({ block: "nearest" });
  // A card that is taller than the window shows where the focus is, with room around it.
  first?.scrollIntoView({ block: "nearest" });
};
