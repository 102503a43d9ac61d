// Bundle the browser side of the package into sdcwidgets/static: `npm run build`. With --check nothing is written; the
// program fails if a file there is not what the sources make.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const SOURCES = dirname(fileURLToPath(import.meta.url));
const OUTPUT = join(SOURCES, "../sdcwidgets/static");
const MODULES = join(SOURCES, "../node_modules");

/** @param {string} folder */
const modules = async (folder) => {
  const files = (await readdir(join(SOURCES, folder))).map((name) => join(SOURCES, folder, name));
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  // A module with a default export is a widget; the others are imported by widgets.
  return files.filter((file, index) => file.endsWith(".css") || /^export default /m.test(texts[index]));
};

// The kernel connection imports the whole package of services, of which it uses two names.
const servicesUsed = {
  name: "services-used",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.$/ }, ({ resolveDir }) =>
      resolveDir.endsWith("@jupyterlab/services/lib/kernel") ? { path: join(SOURCES, "frontend/services.js") } : null,
    ),
};

const bundle = { bundle: true, minify: true, outdir: OUTPUT, outbase: SOURCES, write: false, logLevel: "warning" };
// anywidget is an AMD module that waits 2 s for a script. It is bundled by itself, with other names for both.
const ANYWIDGET = join(SOURCES, "frontend/anywidget.js");
const anywidget = await build({
  ...bundle,
  entryPoints: [ANYWIDGET],
  format: "esm",
  target: "es2023",
  metafile: true,
  inject: [join(SOURCES, "frontend/environment.js")],
  define: { "AbortSignal.timeout": "patientTimeout" },
});
const anywidgetBundle = {
  name: "anywidget-bundle",
  setup: ({ onLoad }) =>
    onLoad({ filter: /frontend\/anywidget\.js$/ }, () => ({ contents: anywidget.outputFiles[0].text, loader: "js" })),
};

const results = await Promise.all([
  build({
    ...bundle,
    entryPoints: [...(await modules("widgets")), ...(await modules("lessons"))],
    format: "esm",
    target: "es2023",
  }),
  build({
    ...bundle,
    entryPoints: ["bar.js", "board.js"].map((name) => join(SOURCES, "course", name)),
    format: "iife",
    target: "es2023",
  }),
  build({
    ...bundle,
    entryPoints: [join(SOURCES, "frontend/index.js")],
    format: "iife",
    target: "es2023",
    metafile: true,
    legalComments: "none",
    alias: { "sanitize-html": join(SOURCES, "frontend/sanitize.js") },
    plugins: [servicesUsed, anywidgetBundle],
  }),
]);
const built = new Map(results.flatMap((result) => result.outputFiles).map((file) => [file.path, file.contents]));

/** The licences of all packages in the bundles. anywidget brings its dependencies inside its own file. */
const licences = async () => {
  const inputs = [...results, anywidget].flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}));
  const names = inputs.flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []);
  const about = async (name) => JSON.parse(await readFile(join(MODULES, name, "package.json"), "utf8"));
  const inside = Object.keys((await about("anywidget")).dependencies).filter((name) => name !== "@anywidget/types");
  const texts = [];
  for (const name of [...new Set([...names, ...inside])].sort()) {
    const { version, license } = await about(name);
    const file = (await readdir(join(MODULES, name))).find((entry) => /^licen[cs]e/i.test(entry));
    const scope = name.startsWith("@lumino/") ? "lumino" : name.startsWith("@jupyter") ? "jupyter" : "";
    if (!file && !scope) throw new Error(`${name} has no file with its licence; add its text to js/licences.`);
    // Packages of Jupyter come without the file.
    const path = file ? join(MODULES, name, file) : join(SOURCES, "licences", `${scope}.txt`);
    const text = await readFile(path, "utf8");
    texts.push(`${name} ${version}, ${license}\n\n${text.replaceAll("\r", "").trim()}\n`);
  }
  return texts.join(`\n${"-".repeat(80)}\n\n`);
};
built.set(join(OUTPUT, "frontend/LICENSES.txt"), Buffer.from(await licences()));

const entries = await readdir(OUTPUT, { recursive: true, withFileTypes: true }).catch(() => []);
const present = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
// Snapshots are taken in a browser: `make snapshots`.
const surplus = present.filter((file) => !built.has(file) && !relative(OUTPUT, file).startsWith("snapshots"));

if (process.argv.includes("--check")) {
  const stale = [];
  for (const [file, contents] of built) {
    const current = await readFile(file).catch(() => null);
    if (!current?.equals(contents)) stale.push(file);
  }
  const wrong = [...stale, ...surplus].map((file) => relative(join(SOURCES, ".."), file));
  if (wrong.length) {
    console.error(
      `These files are not what the sources make; run \`npm run build\` and commit them:\n${wrong.join("\n")}`,
    );
    process.exit(1);
  }
} else {
  for (const file of surplus) await rm(file);
  for (const [file, contents] of built) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, contents);
  }
}
