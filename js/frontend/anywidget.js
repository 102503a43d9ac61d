// @ts-check
// The classes of anywidget. `build.mjs` bundles this module by itself, with the names of `environment.js` in place of
// those of a browser and of an AMD loader.
import "anywidget";
import { factory } from "./environment.js";

export default factory;
