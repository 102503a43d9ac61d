// @ts-check
// The front end of a served page. It connects to the kernel that has run the notebook, and shows its outputs.
import { KernelConnection } from "@jupyterlab/services/lib/kernel/default";
import { watching } from "../widgets/alive.js";
import { PATIENCE } from "./environment.js";
import { Manager, UnknownWidget } from "./manager.js";
import { showOutputs } from "./outputs.js";
import { CommsOverSubshells, ServerConnection } from "./services.js";
import "./widgets.css";

/** @type {any} */
const page = window;
/** @type {Record<string, any>} */
const config = JSON.parse(document.getElementById("jupyter-config-data")?.textContent ?? "{}");

/** Resolve once the page names its kernel, which comes before its outputs. */
const kernelId = () =>
  new Promise((/** @type {(id: string) => void} */ resolve) => {
    const look = () => {
      const id = document.body?.dataset.kernelId;
      if (id) resolve(id);
      return Boolean(id);
    };
    if (!look()) addEventListener("sdc:kernel", look);
  });

const parsed = () =>
  new Promise((/** @type {(value?: any) => void} */ resolve) => {
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", resolve, { once: true });
    else resolve();
  });

/** End the kernel when the page is left. @param {string} id */
const endOnLeave = (id) => {
  addEventListener("pagehide", () => {
    const token = /(?:^|; )_xsrf=([^;]*)/.exec(document.cookie)?.[1] ?? "";
    const form = new FormData();
    form.append("_xsrf", token);
    navigator.sendBeacon(`${config.baseUrl}voila/api/shutdown/${encodeURIComponent(id)}`, form);
  });
};

/** Show the page with Voila's own scripts, which can load the widgets of other packages. */
const fallBack = () => {
  const listen = window.addEventListener.bind(window);
  // They begin at the load event of the page, which has passed.
  page.addEventListener = (/** @type {string} */ type, /** @type {any} */ listener, /** @type {any} */ options) => {
    if (type === "load" && document.readyState === "complete") queueMicrotask(listener);
    else listen(type, listener, options);
  };
  for (const name of ["voila-style.js", "voila.js"]) {
    const script = document.createElement("script");
    script.src = `${config.fullStaticUrl}/${name}`;
    script.async = false;
    document.head.append(script);
  }
};

/** Report that the session has ended. A dashboard that is shown reports it in its header. */
const watch = () => {
  const notice = document.createElement("div");
  notice.className = "sdc-session";
  notice.setAttribute("role", "alert");
  document.body.prepend(notice);
  watching(notice);
};

/** Show the page in place of its first view. @param {boolean} answered whether the kernel sent its widgets */
const finish = (answered) => {
  page.themeLoaded = true;
  page.voila_finish?.();
  if (!answered || document.body.dataset.sdcwidgets !== "dashboard") watch();
};

const start = async () => {
  const id = await kernelId();
  const kernel = new KernelConnection({
    model: { id, name: "" },
    serverSettings: ServerConnection.makeSettings(),
    kernelInfoTimeout: PATIENCE,
    // All messages go one way, so that they arrive in the order in which they were sent.
    commsOverSubshells: CommsOverSubshells.Disabled,
  });
  const manager = new Manager(kernel);
  await parsed();
  endOnLeave(id);
  try {
    await manager.restore();
  } catch (error) {
    if (error instanceof UnknownWidget) {
      kernel.dispose();
      fallBack();
      return;
    }
    console.error(error);
    await showOutputs(null);
    finish(false);
    return;
  }
  await showOutputs(manager);
  finish(true);
};

start();
