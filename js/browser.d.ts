// What the modules of one page share beside their imports, and the part of plotly.js that a chart uses.

/** An element that plotly.js has drawn in: what it adds to it. */
interface Plot extends HTMLDivElement {
  data?: { name?: string; showlegend?: boolean }[];
  layout?: any;
  _fullLayout?: any;
  on?: (event: string, heard: (event: any) => void) => void;
}

interface Plotly {
  react(plot: Plot, data: unknown, layout: object, config?: object): Promise<void>;
  downloadImage(figure: object, options: object): Promise<string>;
  purge(plot: Plot): void;
  relayout(plot: Plot, change: Record<string, unknown>): Promise<void>;
  Fx: { hover(plot: Plot, at: { xpx: number; ypx: number }, axes: string): void; unhover(plot: Plot): void };
}

declare var Plotly: Plotly | undefined;
/** The library as the page of our own server has started it. */
/** The library as it was asked for by the first chart. */
declare var sdcLibrary: Promise<Plotly> | undefined;
declare var sdcKeys: boolean | undefined;
declare var sdcBatch: { draws: Set<() => void>; timer: number; since: number; last: number } | undefined;
