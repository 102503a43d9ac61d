// Bundle the browser side of the package into sdcwidgets/static: `npm run build`. With --check nothing is written; the
// program fails if a file there is not what the sources make.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const SOURCES = dirname(fileURLToPath(import.meta.url));
const OUTPUT = join(SOURCES, "../sdcwidgets/static");

/** @param {string} folder */
const modules = async (folder) => {
  const files = (await readdir(join(SOURCES, folder))).map((name) => join(SOURCES, folder, name));
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  // A module with a default export is a widget; the others are imported by widgets.
  return files.filter((file, index) => file.endsWith(".css") || /^export default /m.test(texts[index]));
};

const bundle = { bundle: true, minify: true, outdir: OUTPUT, outbase: SOURCES, write: false, logLevel: "warning" };
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
]);
const built = new Map(results.flatMap((result) => result.outputFiles).map((file) => [file.path, file.contents]));

const entries = await readdir(OUTPUT, { recursive: true, withFileTypes: true }).catch(() => []);
const present = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
const surplus = present.filter((file) => !built.has(file));

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
