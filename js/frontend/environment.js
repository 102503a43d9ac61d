// @ts-check
// Names that anywidget finds in place of `define` of an AMD loader and of `AbortSignal.timeout`.

/** Milliseconds until a widget or a session is given up. Thirty visitors at once keep a session busy for seconds. */
export const PATIENCE = 60_000;

/** Makes the classes of anywidget from those of ipywidgets. @type {(base: object) => Record<string, any>} */
export let factory;

/**
 * Keep what makes the classes of the AMD module from its one dependency.
 *
 * @param {string[]} _names
 * @param {(base: object) => Record<string, any>} make
 */
export const define = (_names, make) => {
  factory = make;
};

/** In place of a signal after 2 s, the time that anywidget gives to a script. */
export const patientTimeout = () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), PATIENCE);
  return controller.signal;
};
