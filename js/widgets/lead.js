// @ts-check
// The way to a part of a page: into sight, with the focus where something is done there; and to the page of a notebook.
/** How long a place is marked, and how long the mark is away before it comes again, in milliseconds. */
const [MARKED, BREAK] = [1600, 120];

/** What leads from here to the page of a notebook, null where the neighbours of this page are not served. */
export const toNotebooks = () => {
  const rendered = location.pathname.includes("/voila/render/");
  // The project's own server says so in its pages; elsewhere only a Jupyter server has the neighbours of a notebook.
  if (!rendered && !("sdcwidgets" in document.body.dataset)) return null;
  return rendered ? "" : "voila/render/";
};
/**
 * Bring a part of the page into sight, and put the focus where something is done there.
 * @param {Element} inside
 * @param {string} place
 */
export const lead = (inside, place) => {
  const card = inside.closest(".sdc-page")?.querySelector(`.sdc-at-${place}`);
  if (!card) return;
  const first = card.querySelector(`[data-place="${place}"]`) ?? card.querySelector("select, input, button");
  /** @type {HTMLElement | null} */ (first)?.focus({ preventScroll: true });
  // After a press of the mouse no browser marks the focus by itself.
  first?.classList.add("sdc-led");
  first?.addEventListener("blur", () => first.classList.remove("sdc-led"), { once: true });
  // A second press finds the focus where it is already, so the place is also marked for a moment.
  const marked = first?.closest(".sdc-control") ?? first;
  marked?.classList.remove("sdc-asked");
  setTimeout(() => marked?.classList.add("sdc-asked"), BREAK);
  setTimeout(() => marked?.classList.remove("sdc-asked"), BREAK + MARKED);
  card.scrollIntoView({ block: "nearest" });
  // A card that is taller than the window shows where the focus is, with room around it.
  first?.scrollIntoView({ block: "nearest" });
};
