// @ts-check
// Small helpers of the grid: numbers that the kernel sends as bytes, limits, and writes that only happen if needed.

/** @param {DataView | null | undefined} view */
export const numbers = (view) =>
  view && new Float64Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));

/** @param {number} value @param {number} low @param {number} high */
export const within = (value, low, high) => Math.max(low, Math.min(high, value));

/**
 * Write a property of a node if it is not what it should be: each real write makes the browser work.
 *
 * @template {Node} N
 * @template {keyof N} K
 * @param {N} node
 * @param {K} key
 * @param {N[K]} value
 */
export const put = (node, key, value) => {
  if (node[key] !== value) node[key] = value;
};
