// @ts-check
// How a person wants to see the pages: light, dark or as the system is, and large for an audience. It is kept in this
// browser and nowhere else, and every page of this browser follows.
import { el } from "./dom.js";

/** @type {Record<string, string>} */
const THEMES = { auto: "system setting", light: "light", dark: "dark" };

/** @param {string} name */
const chosenView = (name) => {
  try {
    return localStorage.getItem(`sdcwidgets-${name}`) || "";
  } catch {
    return ""; // a browser may refuse to keep anything; the choice then lasts as long as the page
  }
};
/** @param {string} name @param {string} value */
const keepView = (name, value) => {
  try {
    localStorage.setItem(`sdcwidgets-${name}`, value);
  } catch {
    /* as above */
  }
};

/** @param {string} theme @param {boolean} projector */
const present = (theme, projector) => {
  const root = document.documentElement;
  if (theme === "light" || theme === "dark") root.dataset.sdcTheme = theme;
  else delete root.dataset.sdcTheme;
  const dark = /** @type {HTMLLinkElement | null} */ (document.getElementById("sdc-dark"));
  if (dark) dark.media = theme === "dark" ? "all" : theme === "light" ? "not all" : "(prefers-color-scheme: dark)";
  root.toggleAttribute("data-sdc-projector", projector);
  dispatchEvent(new Event("sdc:view"));
};

/** The buttons that change the view, and what undoes their listening. */
export const viewing = () => {
  let theme = chosenView("theme") || "auto";
  let projector = chosenView("projector") === "on";
  const colours = el("button", { type: "button", onclick: () => turn() });
  const large = el("button", { type: "button", onclick: () => enlarge(!projector) }, "Projector view");
  const show = () => {
    colours.textContent = theme === "auto" ? "◐ Auto" : theme === "light" ? "○ Light" : "● Dark";
    colours.setAttribute("aria-label", `Colour theme: ${THEMES[theme]}. Change theme`);
    large.setAttribute("aria-pressed", String(projector));
    large.textContent = projector ? "Close projector view" : "Projector view";
    present(theme, projector);
  };
  const turn = () => {
    const names = Object.keys(THEMES);
    theme = names[(names.indexOf(theme) + 1) % names.length];
    keepView("theme", theme);
    show();
  };
  /** @param {boolean} on */
  const enlarge = (on) => {
    projector = on;
    keepView("projector", on ? "on" : "off");
    show();
  };
  show();
  return [colours, large];
};
