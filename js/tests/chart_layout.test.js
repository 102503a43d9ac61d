import assert from "node:assert/strict";
import { test } from "node:test";
import { fillFrame, hasRoom, pictureLayout, replaceColours, wrapWords } from "../widgets/chart_layout.js";

const picture = (layout, data = [{ name: "before" }], changes = {}) =>
  pictureLayout({
    figure: { data, layout },
    title: "Risk",
    caption: "Example table. PSD 2014, made with sdcwidgets",
    size: { width: 640, height: 300 },
    bottom: 30,
    background: "#fff",
    ...changes,
  });

test("arrays go to their paths, and the frame stays as it was", () => {
  const frame = { data: [{ marker: { size: 3 } }, {}], layout: {} };
  const figure = fillFrame(frame, { "data/0/marker/color": ["a"], "data/1/x": [1, 2], "layout/xaxis/tickvals": [5] });
  assert.deepEqual(figure, {
    data: [{ marker: { size: 3, color: ["a"] } }, { x: [1, 2] }],
    layout: { xaxis: { tickvals: [5] } },
  });
  assert.deepEqual(frame, { data: [{ marker: { size: 3 } }, {}], layout: {} });
});

test("named colours are replaced at any depth; other texts and bytes stay", () => {
  const bytes = new Float64Array([1]);
  const figure = { a: ["var(--sdc-ink)", "red"], b: { c: "var(--x-1)" }, d: bytes, e: "the var(--sdc-ink)", f: null };
  assert.deepEqual(
    replaceColours(figure, (name) => `<${name}>`),
    {
      a: ["<--sdc-ink>", "red"],
      b: { c: "<--x-1>" },
      d: bytes,
      e: "the var(--sdc-ink)",
      f: null,
    },
  );
});

test("lines hold whole words and are not too long", () => {
  const text = "one two three four five six seven";
  const lines = wrapWords(text, 9);
  assert.equal(lines.join(" "), text);
  assert.ok(lines.every((line) => line.length <= 9));
  assert.deepEqual(wrapWords("incomprehensibilities", 5), ["incomprehensibilities"]);
  assert.deepEqual(wrapWords("", 5), []);
});

test("a saved picture is taller than its chart by its title, legend and caption", () => {
  const { layout, height } = picture({ margin: { t: 10, b: 50 } });
  const more = height - 300;
  assert.ok(more > 0);
  assert.equal(layout.margin.t - 10 + (layout.margin.b - 50), more);
  assert.equal(layout.title.text, "Risk");
  assert.equal(layout.paper_bgcolor, "#fff");
});

test("the caption is the last annotation, with its line breaks", () => {
  const { layout } = picture({ annotations: [{ text: "mark" }] }, [{}], { caption: "word ".repeat(60) });
  assert.equal(layout.annotations.length, 2);
  assert.equal(layout.annotations[1].text.split("<br>").join(" "), "word ".repeat(60).trim());
  assert.equal(picture({}, [{}], { caption: "" }).layout.annotations, undefined);
});

test("a legend appears with two named traces, and a legend of the figure is kept", () => {
  assert.equal(picture({}).layout.showlegend, false);
  const two = picture({}, [{ name: "before" }, { name: "after" }]);
  assert.equal(two.layout.showlegend, true);
  assert.ok(two.layout.legend.y > 0 && two.layout.legend.y < 1);
  assert.ok(two.height > picture({}).height);
  const own = picture({ showlegend: true, legend: { x: 1 } }, [{ name: "before" }, { name: "after" }]);
  assert.deepEqual(own.layout.legend, { x: 1 });
  assert.equal(own.height, picture({}).height);
});

test("the margin below is not smaller than the labels of the axis", () => {
  const margin = (bottom) => picture({ margin: { b: 40 } }, [{}], { bottom }).layout.margin.b;
  assert.equal(margin(90) - margin(20), 50);
});

test("wide annotations are left out of narrow charts", () => {
  assert.deepEqual([{ name: "wide" }, { name: "x" }, {}].filter(hasRoom), [{ name: "x" }, {}]);
});
