// @ts-check
// The names of tabs; the panel below them is a box of the kernel, which is told what it is here.
import { el, fresh } from "./dom.js";

/** @param {import("./dom.js").Context<{ names: string[], opened: number }>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-tabbar");
  const panel = fresh("panel");
  const open = (/** @type {number} */ index) => model.send({ type: "open", index });
  /** @type {HTMLButtonElement[]} */
  let tabs = [];
  const list = el("div", { role: "tablist", class: "sdc-tablist" });
  const name = () => {
    tabs = model
      .get("names")
      .map((words, index) =>
        el(
          "button",
          { type: "button", role: "tab", id: `${panel}-${index}`, "aria-controls": panel, onclick: () => open(index) },
          words,
        ),
      );
    list.replaceChildren(...tabs);
  };
  list.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    tabs[next].focus();
    open(next);
  });
  root.append(list);
  const draw = () => {
    const opened = model.get("opened");
    tabs.forEach((tab, index) => {
      tab.setAttribute("aria-selected", String(index === opened));
      tab.tabIndex = index === opened ? 0 : -1;
    });
    const below = root.parentElement?.querySelector(":scope > .sdc-tabpanel");
    if (!below) return false;
    below.id = panel;
    below.setAttribute("role", "tabpanel");
    below.setAttribute("aria-labelledby", `${panel}-${opened}`);
    return true;
  };
  /** @param {import("./dom.js").Message} message */
  const hear = (message) => {
    if (message.type !== "lead") return;
    tabs[message.index].focus({ preventScroll: true });
    requestAnimationFrame(() => (root.closest(".sdc-tabs") ?? root).scrollIntoView({ block: "nearest" }));
  };
  model.on("msg:custom", hear);
  model.on("change:opened", draw);
  model.on("change:names", () => {
    name();
    draw();
  });
  // The panel comes into the page after the names.
  const later = () => {
    if (!draw() && root.isConnected) requestAnimationFrame(later);
  };
  name();
  draw();
  requestAnimationFrame(later);
  return () => model.off("msg:custom", hear);
};
export default { render };
