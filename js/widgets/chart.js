// @ts-check
// A plotly figure. plotly.js is loaded once a page; a change brings only the arrays that changed.
import { fillFrame, hasRoom, NARROW, pictureLayout, replaceColours } from "./chart_layout.js";
import { followDrags, stepOf } from "./chart_pointer.js";
import { el, savedAs, together } from "./dom.js";
import { sight } from "./lazy_widget.js";

/** @typedef {import("./chart_layout.js").Figure} Figure */
/**
 * @typedef {object} Traits
 * @property {string} label
 * @property {string} address
 * @property {string} version
 * @property {Figure} frame
 * @property {Record<string, any[]>} arrays
 * @property {string} summary
 * @property {{ columns?: string[], rows: string[][] }} numbers
 * @property {object} config
 * @property {boolean} places
 * @property {number} dragged counter of the answered positions of a dragged pointer
 * @property {string} caption
 * @property {boolean} old whether the figure is not yet the one of what the page shows
 */
/** @typedef {import("./dom.js").Model<Traits>} Kernel */

/** The width of A4 within the margins that browsers print with, in CSS pixels. */
const A4 = 718;

/** @param {Kernel} model */
const address = (model) => {
  const config = document.getElementById("jupyter-config-data");
  let base = "/";
  try {
    base = JSON.parse(config?.textContent ?? "").baseUrl || "/";
  } catch {
    /* a page with no Jupyter server behind it */
  }
  return `${base.replace(/\/?$/, "/")}${model.get("address")}?v=${model.get("version")}`;
};
/** @param {string} src @returns {Promise<Plotly>} */
const script = (src) =>
  new Promise((resolve, reject) => {
    const node = el("script", { src, async: true });
    node.onload = () => (globalThis.Plotly?.react ? resolve(globalThis.Plotly) : reject(new Error("not plotly")));
    node.onerror = () => reject(new Error("not there"));
    document.head.append(node);
  });
// Where no server of ours answers, as in plain voila, the kernel sends the library, once for the page.
/** @param {Kernel} model @returns {Promise<Plotly>} */
const ask = (model) =>
  new Promise((resolve, reject) => {
    /** @param {import("./dom.js").Message} message @param {BlobPart[]} buffers */
    const hear = (message, buffers) => {
      if (message.type !== "plotly") return;
      model.off("msg:custom", hear);
      const packed = new Blob(buffers).stream().pipeThrough(new DecompressionStream("gzip"));
      new Response(packed)
        .text()
        .then((text) => {
          const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
          return script(url).finally(() => URL.revokeObjectURL(url));
        })
        .then(resolve, reject);
    };
    model.on("msg:custom", hear);
    model.send({ type: "plotly" });
  });
// plotly.js takes a while to come and to start; what a person can already use is painted, and answers, first.
const painted = () =>
  new Promise((resolve) => {
    const soon = () => {
      requestAnimationFrame(() => setTimeout(resolve, 150));
      setTimeout(resolve, 1000); // nothing is painted in a tab behind another
    };
    if (document.querySelector("sdc-first")) addEventListener("sdc:shown", soon, { once: true });
    else soon();
  });
/** @param {Kernel} model */
const start = (model) =>
  globalThis.Plotly?.react ? Promise.resolve(globalThis.Plotly) : painted().then(() => script(address(model)));
/** @param {Kernel} model */
const library = (model) => (globalThis.sdcLibrary ??= start(model).catch(() => ask(model)));

/** @param {HTMLElement} probe @param {string} name */
const colour = (probe, name) => {
  probe.style.color = `var(${name}, #888)`;
  return getComputedStyle(probe).color;
};
/** @param {import("./dom.js").Context<Traits>} context */
const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-chart");
  /** @type {Plot} */
  const plot = el("div", { class: "sdc-plot sdc-empty", role: "img" }, "Loading the chart …");
  if (model.get("places")) {
    plot.tabIndex = 0;
    plot.setAttribute("role", "application"); // arrow keys belong to the chart
    plot.setAttribute("aria-roledescription", "chart");
  }
  const summary = el("p", {});
  const probe = el("span", { hidden: true });
  const table = el("div", { class: "sdc-table", hidden: true });
  const toggle = el("button", { type: "button", class: "sdc-link", "aria-expanded": false }, "Show numbers as a table");
  const picture = el("button", { type: "button", class: "sdc-link" }, "Picture");
  const ways = el("span", { class: "sdc-ways" }, toggle, picture); // they stay in one line
  root.append(plot, el("div", { class: "sdc-under" }, summary, ways), table, probe);
  /** @type {Plotly | undefined} */
  let plotly;
  let alive = true;
  let stale = true;
  let drawing = Promise.resolve();
  // Asking for a colour makes the browser work out every style; it is asked once for each theme.
  /** @type {Map<string, string>} */
  const known = new Map();
  /** @param {string} name */
  const colours = (name) => {
    const found = known.get(name) ?? colour(probe, name);
    known.set(name, found);
    return found;
  };
  // Before an audience a picture on the stage ends where the window does.
  const height = () => {
    const shown = "sdcProjector" in document.documentElement.dataset && root.closest(".sdc-stage");
    const room = shown ? Math.max(210, innerHeight - plot.getBoundingClientRect().top - scrollY - 12) : Infinity;
    const tall = Math.min(model.get("frame").layout?.height || 300, room);
    plot.style.height = `${tall}px`;
    return tall;
  };
  height();
  // As the browser last told it: where plotly has to measure the page itself, all of it is laid out in between.
  let width = 0;
  const narrow = () => width > 0 && width < NARROW;

  const draw = (anyway = false) => {
    stale = true;
    if (!plotly || !alive) return;
    if (!place.visible() && !anyway) {
      place.wait();
      return;
    }
    const drawer = plotly;
    stale = false;
    const figure = replaceColours(fillFrame(model.get("frame"), model.get("arrays")), colours);
    if (narrow()) figure.layout.annotations = figure.layout.annotations?.filter(hasRoom);
    const size = { height: height(), ...(width ? { width } : { autosize: true }) };
    // The configuration stays; given again, it makes plotly measure the page in the middle of a change.
    const config = plot.data ? undefined : { displayModeBar: false, ...model.get("config") };
    drawing = drawing
      .then(() => drawer.react(plot, figure.data, { ...figure.layout, ...size }, config))
      .then(() => {
        listen();
        if (!stale) place.done();
        plot.dispatchEvent(new CustomEvent("sdc:drawn", { bubbles: true }));
      });
  };
  // A chart that nobody sees is drawn when it comes into view, or when nothing has happened for a while: what is seen
  // follows sooner.
  const place = sight(model, plot, {
    seen: () => {
      if (stale) draw();
    },
    quiet: () => {
      if (plot.offsetParent) draw(true);
    },
  });
  const schedule = together(() => {
    if (!model.get("old")) draw();
  });
  const words = () => {
    summary.textContent = model.get("summary");
    plot.setAttribute("aria-label", `${model.get("label")}. ${model.get("summary")}`);
  };
  const numbers = () => {
    if (table.hidden) return;
    const { columns, rows } = model.get("numbers");
    if (!columns) return;
    table.replaceChildren(
      el(
        "table",
        { class: "sdc-numbers" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            columns.map((name) => el("th", { scope: "col" }, name)),
          ),
        ),
        el(
          "tbody",
          {},
          rows.map((row) =>
            el(
              "tr",
              {},
              row.map((cell, index) => el(index ? "td" : "th", index ? {} : { scope: "row" }, cell)),
            ),
          ),
        ),
      ),
    );
  };
  toggle.addEventListener("click", () => {
    table.hidden = !table.hidden;
    toggle.setAttribute("aria-expanded", String(!table.hidden));
    toggle.textContent = table.hidden ? "Show numbers as a table" : "Hide the numbers";
    model.send({ type: "numbers", open: !table.hidden });
    numbers();
  });
  // The picture that is saved says what it shows: a title, a legend, and what it was made from.
  const save = () => {
    if (!plotly || !plot.data) return;
    const width = Math.max(plot.clientWidth, 640);
    const { layout, height } = pictureLayout({
      figure: { data: plot.data, layout: structuredClone(plot.layout) },
      title: model.get("label"),
      caption: model.get("caption"),
      size: { width, height: plot.layout.height ?? plot.clientHeight },
      bottom: plot._fullLayout._size.b,
      background: getComputedStyle(root).getPropertyValue("--sdc-card").trim() || "#fff",
    });
    const made = plotly.downloadImage(
      { data: plot.data, layout },
      { format: "png", scale: 2, width, height, filename: model.get("label") || "chart" },
    );
    made.then(savedAs);
  };
  picture.addEventListener("click", save);
  table.tabIndex = 0;
  table.setAttribute("role", "region");
  table.setAttribute("aria-label", "Numbers of the chart");

  model.on("change:frame", schedule);
  model.on("change:arrays", schedule);
  // What is drawn anew may be what was drawn last: then nothing but this says that it is right again.
  model.on("change:old", schedule);
  model.on("change:summary", together(words));
  model.on("change:numbers", together(numbers));
  words();
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const recolour = () => {
    known.clear();
    schedule();
  };
  dark.addEventListener("change", recolour);
  addEventListener("sdc:view", recolour);
  // plotly keeps the width it was drawn with; each new one is given to it.
  /** @param {number} wanted */
  const fit = (wanted) => {
    if (!wanted || Math.abs(wanted - width) < 0.5) return;
    const was = narrow();
    width = wanted;
    if (narrow() !== was) draw();
    else if (plot.data && !stale) plotly?.relayout(plot, { width, height: height() });
  };
  // On paper every chart is drawn, also one that was never scrolled into view, and as wide as the paper: no observer
  // is asked between this event and the print, so the page is as narrow as A4 for a moment.
  const onPaper = () => {
    const page = /** @type {HTMLElement} */ (root.closest(".sdc-page") ?? root);
    page.style.width = `${Math.min(A4, page.clientWidth)}px`;
    fit(plot.clientWidth);
    page.style.width = "";
    if (stale && !model.get("old")) draw(true);
  };
  const onScreen = () => fit(plot.clientWidth);
  addEventListener("beforeprint", onPaper);
  addEventListener("afterprint", onScreen);
  library(model)
    .then((found) => {
      plotly = found;
      if (!alive) return;
      plot.classList.remove("sdc-empty");
      plot.replaceChildren();
      draw();
    })
    .catch(() => {
      plot.textContent = "The chart could not be loaded. The table below shows its numbers.";
    });
  let answered = () => {};
  model.on("change:dragged", () => answered());
  let listening = false;
  const listen = () => {
    if (listening || !plot.on) return;
    listening = true;
    let clicked = 0;
    plot.on("plotly_click", (event) => {
      if (performance.now() - clicked < 300) return; // the end of a drag
      clicked = performance.now();
      model.send({
        type: "click",
        points: event.points.map((/** @type {any} */ point) => [point.curveNumber, point.pointNumber]),
      });
    });
    // A position of the pointer, in the numbers of the axes.
    /** @param {string} type @param {MouseEvent} event */
    const sendPosition = (type, event) => {
      const { xaxis, yaxis, _size: size } = plot._fullLayout ?? {};
      if (!xaxis?.p2d) return;
      const box = plot.getBoundingClientRect();
      const x = xaxis.p2d(event.clientX - box.left - size.l),
        y = yaxis.p2d(event.clientY - box.top - size.t);
      model.send({ type, x, y });
    };
    // A click beside all marks.
    plot.addEventListener("click", (event) => {
      if (model.get("places") && performance.now() - clicked >= 300) sendPosition("place", event);
    });
    if (model.get("places")) {
      answered = followDrags(
        plot,
        (event) => sendPosition("drag", event),
        () => (clicked = performance.now()),
      );
      plot.addEventListener("keydown", (event) => {
        const by = stepOf(event.key);
        if (!by) return;
        event.preventDefault();
        model.send({ type: "step", by });
      });
    }
    // A line that can be dragged lies upon the marks near it: what is under the pointer is told there as well.
    plot.addEventListener("mousemove", (event) => {
      const { xaxis, _size: size } = plot._fullLayout ?? {};
      if (event.buttons || !xaxis || !(/** @type {Element} */ (event.target).closest(".layer-above"))) return;
      const box = plot.getBoundingClientRect();
      const at = { xpx: event.clientX - box.left - size.l, ypx: event.clientY - box.top - size.t };
      plotly?.Fx.hover(plot, at, "xy");
    });
    plot.addEventListener("mouseleave", () => {
      if (plot._fullLayout?.xaxis) plotly?.Fx.unhover(plot);
    });
    plot.on("plotly_relayout", (change) => {
      const shapes = Object.fromEntries(Object.entries(change).filter(([key]) => key.startsWith("shapes[")));
      if (Object.keys(shapes).length) model.send({ type: "shapes", shapes });
    });
  };
  const observer = new ResizeObserver((entries) => {
    fit(entries[entries.length - 1].contentRect.width);
  });
  observer.observe(plot);
  return () => {
    alive = false;
    place.stop();
    observer.disconnect();
    dark.removeEventListener("change", recolour);
    removeEventListener("sdc:view", recolour);
    removeEventListener("beforeprint", onPaper);
    removeEventListener("afterprint", onScreen);
    if (plotly) plotly.purge(plot);
  };
};
export default { render };
