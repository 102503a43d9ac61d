// @ts-check
// Layout of a chart: functions of a figure that need no browser.

/** @typedef {{ data: Record<string, any>[], layout: Record<string, any> }} Figure */

/** Width in pixels below which annotations with the name "wide" are left out. */
export const NARROW = 560;

/** @param {{ name?: string }} annotation */
export const hasRoom = (annotation) => annotation.name !== "wide";

/**
 * Put each array to its path, such as "data/0/marker/color", in a copy of the frame.
 *
 * @param {Figure} frame
 * @param {Record<string, any[]>} arrays
 * @returns {Figure}
 */
export const fillFrame = (frame, arrays) => {
  const figure = { data: frame.data.map((trace) => structuredClone(trace)), layout: structuredClone(frame.layout) };
  for (const [path, value] of Object.entries(arrays)) {
    const steps = path.split("/");
    const last = /** @type {string} */ (steps.pop());
    /** @type {any} */
    let at = figure;
    for (const step of steps) at = at[step] ??= {};
    at[last] = value;
  }
  return figure;
};

/**
 * Replace the names of colours. A figure names them ("var(--sdc-ink)"), so that it follows the theme of the page.
 *
 * @param {any} value
 * @param {(name: string) => string} colours
 * @returns {any}
 */
export const replaceColours = (value, colours) => {
  if (typeof value === "string") {
    const name = /^var\((--[\w-]+)\)$/.exec(value);
    return name ? colours(name[1]) : value;
  }
  if (Array.isArray(value)) return value.map((item) => replaceColours(item, colours));
  if (value && typeof value === "object" && !ArrayBuffer.isView(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceColours(item, colours)]));
  return value;
};

/**
 * Break a text into lines.
 *
 * @param {string} text
 * @param {number} longest maximum number of letters of a line; a longer word is a line
 */
export const wrapWords = (text, longest) => {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ").filter(Boolean)) {
    if (lines.length && `${lines.at(-1)} ${word}`.length <= longest) lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  return lines;
};

/** Pixels of the title, of a line of the caption and of a row of the legend; pixels per letter and per legend entry. */
const [TITLE, LINE, LEGEND_ROW, LETTER, LEGEND_ENTRY] = [34, 16, 24, 6.2, 190];

/**
 * Return the layout and the height of a saved picture. It has a title, a legend and a caption with the source.
 *
 * @param {object} picture
 * @param {Figure} picture.figure
 * @param {string} picture.title
 * @param {string} picture.caption
 * @param {{ width: number, height: number }} picture.size of the chart on the screen
 * @param {number} picture.bottom margin that plotly.js gave to the labels of the axis
 * @param {string} picture.background
 */
export const pictureLayout = ({ figure: { data, layout }, title, caption, size, bottom, background }) => {
  const { margin = {} } = layout;
  const lines = wrapWords(caption, size.width / LETTER);
  const named = data.filter((trace) => trace.name && trace.showlegend !== false);
  const many = Boolean(layout.showlegend) || named.length > 1;
  const columns = Math.max(1, Math.floor(size.width / LEGEND_ENTRY));
  const legend = many && !layout.showlegend ? LEGEND_ROW * Math.ceil(data.length / columns) : 0;
  const below = LINE * lines.length + legend + 14;
  // Long labels below an axis took more space than the layout asks for.
  const lower = Math.max(margin.b ?? 40, bottom);
  const height = size.height + TITLE + below;
  const note = {
    xref: "paper",
    yref: "paper",
    x: 0,
    y: 0,
    yshift: -lower - legend - 6,
    xanchor: "left",
    yanchor: "top",
    align: "left",
    showarrow: false,
    text: lines.join("<br>"),
    font: { size: 11 },
  };
  const legendBelow = {
    orientation: "h",
    x: 0,
    yref: "container",
    y: (LINE * lines.length + 14) / height,
    yanchor: "bottom",
  };
  return {
    height,
    layout: {
      ...layout,
      paper_bgcolor: background,
      title: { text: title, x: 0.02, xanchor: "left", font: { size: 16 } },
      showlegend: many,
      legend: layout.showlegend ? layout.legend : legendBelow,
      margin: { ...margin, t: (margin.t ?? 12) + TITLE, b: lower + below },
      annotations: lines.length ? [...(layout.annotations ?? []), note] : layout.annotations,
    },
  };
};
