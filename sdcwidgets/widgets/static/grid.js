// The grid. The kernel says what is true in four parts (frame, cells, margins, reply); this side draws them and asks.
// A new frame builds the table; all else changes the nodes that are there, so one count never redraws 2,500 fields.
const numbers = (view) => view && new Float64Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
const within = (value, low, high) => Math.max(low, Math.min(high, value));
const put = (node, key, value) => { if (node[key] !== value) node[key] = value; };

const render = ({ model, el: root }) => {
  root.classList.add("sdc", "sdc-grid");
  const scroller = el("div", { class: "sdc-scroll" });
  const problem = el("div", { class: "sdc-problem", role: "alert", id: fresh("problem"), hidden: true });
  const status = el("div", { class: "sdc-hidden", role: "status" });
  const pager = el("div", { class: "sdc-pager" });
  const hint = el("p", { class: "sdc-mute sdc-hint", id: fresh("hint") });
  root.append(scroller, problem, status, pager, hint);

  let frame, R, C, cells, inputs, shares, margins, top, left; // what build() made; cells and inputs are row by row
  let shown = []; // the text of each cell, as the kernel last said it
  let active = [0, 0], extent = null; // the cell with the focus, and the other corner of a block
  let editing = null; // the field that is being typed in
  let leaving = false; // after Escape, Tab leaves the table
  let problems = [];
  let turn = Math.floor(Math.random() * 1e9);
  const pending = new Set(); // cells whose text was sent and not yet answered

  // Drawing

  const build = () => {
    const refocus = scroller.contains(document.activeElement);
    frame = model.get("frame");
    [R, C] = [frame.rows?.length || 0, frame.columns?.length || 0];
    if (!R || !C) { scroller.replaceChildren(); [cells, inputs, margins] = [[], [], []]; return; }
    [top, left] = frame.origin;
    [shown, editing, extent] = [[], null, null];
    pending.clear();
    const head = (label, scope) => el("th", { scope, title: label.length > 12 && label }, el("span", {}, label));
    const rowTitle = frame.row_title, columnTitle = frame.column_title;
    const chosen = (kind, index, name) => frame.explain
      ? el("button", { type: "button", tabIndex: -1, class: "sdc-value", "data-name": name, onclick: () => model.send({ type: "explain", kind, index }) })
      : el("span", { class: "sdc-value", "data-name": name });
    const side = (kind, index, name, type) => el("td", { class: `sdc-margin sdc-${type}` }, chosen(kind, index, name));
    const table = el("table", { "aria-describedby": hint.id, class: frame.editable ? "sdc-fields" : "sdc-texts" },
      el("caption", { class: "sdc-hidden" }, frame.title),
      el("thead", {}, el("tr", {},
        el("td", { class: "sdc-corner sdc-mute", title: [frame.row_name, frame.column_name].filter(Boolean).join(" by ") }, frame.row_name),
        frame.columns.map((label) => head(label, "col")),
        rowTitle === null ? null : el("th", { scope: "col", class: "sdc-right" }, rowTitle))),
    );
    const body = el("tbody");
    for (let r = 0; r < R; r++) {
      const row = el("tr", {}, head(frame.rows[r], "row"));
      for (let c = 0; c < C; c++) {
        const cell = document.createElement("td");
        if (frame.editable) {
          const input = document.createElement("input");
          input.inputMode = "numeric";
          input.autocomplete = "off";
          input.size = 1;
          input.tabIndex = -1;
          input.setAttribute("aria-label", `${frame.rows[r]}, ${frame.columns[c]}`);
          cell.append(input);
        }
        row.append(cell);
      }
      if (rowTitle !== null) row.append(side("row", top + r, `${rowTitle}, ${frame.rows[r]}`, "right"));
      body.append(row);
    }
    table.append(body);
    if (columnTitle !== null) {
      table.append(el("tfoot", {}, el("tr", {}, head(columnTitle, "row"),
        frame.columns.map((label, c) => side("column", left + c, `${columnTitle}, ${label}`, "bottom")),
        rowTitle === null ? null : side("table", 0, frame.title, "right sdc-whole"))));
    }
    cells = [...body.querySelectorAll("td:not(.sdc-margin)")];
    inputs = cells.map((cell) => cell.firstChild);
    shares = [];
    margins = { row: [...body.querySelectorAll(".sdc-value")], column: [...table.querySelectorAll("tfoot .sdc-bottom .sdc-value")], corner: [...table.querySelectorAll(".sdc-whole .sdc-value")] };
    active = [within(active[0], 0, R - 1), within(active[1], 0, C - 1)];
    const stop = at(...active);
    if (stop) stop.tabIndex = 0;
    scroller.replaceChildren(table);
    // A table that only scrolls must be reachable by keyboard too.
    for (const [key, value] of [["tabindex", 0], ["role", "region"], ["aria-label", frame.title]]) {
      if (stop) scroller.removeAttribute(key); else scroller.setAttribute(key, value);
    }
    put(hint, "textContent", frame.hint);
    hint.hidden = !frame.hint;
    page();
    // The focused field must not hide below the fixed headers.
    const [corner, right, foot] = [".sdc-corner", "th.sdc-right", "tfoot"].map((name) => table.querySelector(name));
    requestAnimationFrame(() => {
      scroller.style.scrollPadding = `${corner.offsetHeight + 2}px ${(right?.offsetWidth || 0) + 2}px ${(foot?.offsetHeight || 0) + 2}px ${corner.offsetWidth + 2}px`;
    });
    if (refocus) stop?.focus();
  };

  const page = () => {
    const turnTo = (text, rows, columns, possible) =>
      el("button", { type: "button", disabled: !possible, onclick: () => model.send({ type: "page", rows, columns }) }, text);
    const [[height, width], [rows, columns]] = [frame.window, frame.size];
    pager.replaceChildren(...(frame.where ? [
      el("span", {}, frame.where),
      rows > height ? [turnTo("Rows before", -1, 0, top > 0), turnTo("Rows after", 1, 0, top + height < rows)] : [],
      columns > width ? [turnTo("Columns before", 0, -1, left > 0), turnTo("Columns after", 0, 1, left + width < columns)] : [],
    ].flat() : []));
  };

  const paint = () => {
    const sent = model.get("cells");
    const [counts, before, shade] = [numbers(sent.counts), numbers(sent.reference), numbers(sent.shade)];
    const best = sent.best ? (sent.best[0] - top) * C + sent.best[1] - left : -1;
    const block = extent && span();
    let width = 3;
    for (let i = 0; i < cells.length; i++) {
      const count = counts && counts[i];
      const text = sent.texts ? sent.texts[i] : counts ? String(count) : "";
      const names = [];
      let title = "";
      if (!sent.texts && count === 0) names.push("sdc-zero");
      if (!sent.texts && (count === 1 || count === 2)) names.push("sdc-small");
      if (before && counts && before[i] !== count) {
        names.push(before[i] < count ? "sdc-up" : "sdc-down");
        title = `was ${before[i]}`;
      }
      if (shade) names.push(shade[i] < 0 ? "sdc-low" : "sdc-high");
      if (i === best) { names.push("sdc-best"); title = sent.best[2]; }
      if (block && inBlock(block, i)) names.push("sdc-selected");
      put(cells[i], "className", names.join(" "));
      if (shade) {
        const share = `${Math.round(within(Math.abs(shade[i]), 0, 1) * 100)}%`;
        // Each cell whose style changes is worked out anew by the browser, so only real changes are written.
        if (shares[i] !== share) cells[i].style.setProperty("--share", (shares[i] = share));
      }
      if (text.length > width) width = text.length;
      const input = inputs[i];
      if (frame.editable) {
        put(input, "title", title);
        if (input !== editing && !pending.has(i) && input.value !== text) {
          input.value = text;
          if (input === document.activeElement) input.select();
        }
      } else {
        put(cells[i], "title", title);
        put(cells[i], "textContent", text);
        if (title) cells[i].append(el("span", { class: "sdc-hidden" }, ` (${title})`));
      }
      shown[i] = text;
    }
    scroller.style.setProperty("--digits", width);
  };

  const paintMargins = () => {
    const sent = model.get("margins");
    for (const kind of ["row", "column"]) margins[kind]?.forEach((node, i) => sent[kind] && margin(node, sent[kind].values[i], sent[kind].parts?.[i], sent[kind].part_labels));
    margins.corner?.forEach((node) => margin(node, sent.corner?.text ?? "", sent.corner?.parts, sent.row?.part_labels || []));
  };

  const margin = (node, text, parts, labels) => {
    const key = text + (parts || "");
    if (node.key === key) return;
    node.key = key;
    const terms = (parts || []).map((part, i) => `${labels[i] ?? ""} ${part.toFixed(3)}`.trim()).join(", ");
    if (!node.firstChild) node.append(el("span", { class: "sdc-bar", "aria-hidden": "true" }, frame.roles.map((role) => el("i", { class: `sdc-${role}` }))), el("span"));
    const [bar, value] = node.children;
    bar.hidden = !parts;
    (parts || []).forEach((part, i) => { if (bar.children[i]) bar.children[i].style.width = `calc(var(--bar) * ${part})`; });
    value.textContent = text;
    node.title = terms;
    if (node.tagName === "BUTTON") node.setAttribute("aria-label", `${text}, ${node.dataset.name}: explain`);
  };

  const complain = (chosen = problems[0]) => {
    problem.hidden = !chosen;
    for (const input of inputs) if (input?.ariaInvalid) { input.removeAttribute("aria-invalid"); input.removeAttribute("aria-describedby"); }
    for (const [r, c] of problems) at(r - top, c - left)?.setAttribute("aria-invalid", "true");
    const others = problems.length - 1;
    put(problem, "textContent", chosen ? chosen[2] + (others > 0 ? ` (and ${others} more cell${others > 1 ? "s" : ""})` : "") : "");
    const anchor = chosen && cells[(chosen[0] - top) * C + chosen[1] - left];
    if (!anchor) return;
    at(chosen[0] - top, chosen[1] - left)?.setAttribute("aria-describedby", problem.id);
    problem.anchor = anchor;
    place();
  };
  const place = () => {
    if (problem.hidden) return;
    const [box, cell] = [root.getBoundingClientRect(), problem.anchor.getBoundingClientRect()];
    const [before, after] = [cell.left - box.left - 6, box.right - cell.right - 6];
    const room = Math.max(before, after);
    // Beside the cell, so that the one below, where Enter leads, stays in sight; below it only if there is no room.
    const beside = room >= 180;
    problem.style.maxWidth = `${Math.min(340, beside ? room : box.width)}px`;
    const width = problem.offsetWidth;
    problem.style.left = `${beside ? (after === room ? box.width - room : before - width) : within(before, 0, box.width - width)}px`;
    problem.style.top = `${beside ? cell.top - box.top : cell.bottom - box.top + 6}px`;
  };

  const answered = () => {
    const reply = model.get("reply");
    problems = reply.problems;
    if (reply.turn === turn) { pending.clear(); paint(); }
    complain();
  };

  // Moving about

  const at = (r, c) => (r < R && c < C ? inputs[r * C + c] : r < R ? margins.row[r] : c < C ? margins.column[c] : margins.corner[0]) || null;
  const stops = () => [...inputs, ...margins.row, ...margins.column, ...margins.corner].filter((node) => node && node.tagName !== "SPAN");
  const find = (node) => {
    const i = inputs.indexOf(node);
    if (i >= 0) return [Math.floor(i / C), i % C];
    const [r, c] = [margins.row.indexOf(node), margins.column.indexOf(node)];
    return r >= 0 ? [r, C] : c >= 0 ? [R, c] : [R, C];
  };
  const go = (r, c) => {
    const last = [frame.explain && frame.column_title !== null ? R : R - 1, frame.explain && frame.row_title !== null ? C : C - 1];
    const stop = at(within(r, 0, last[0]), within(c, 0, last[1])) || at(within(r, 0, R - 1), within(c, 0, C - 1));
    stop.focus();
    stop.select?.();
  };
  const span = () => [0, 1].map((k) => [Math.min(active[k], extent[k]), Math.max(active[k], extent[k])]);
  const inBlock = ([[r0, r1], [c0, c1]], i) => Math.floor(i / C) >= r0 && Math.floor(i / C) <= r1 && i % C >= c0 && i % C <= c1;
  const select = (corner) => {
    extent = corner && (corner[0] !== active[0] || corner[1] !== active[1]) ? corner : null;
    const block = extent && span();
    cells.forEach((cell, i) => cell.classList.toggle("sdc-selected", Boolean(block && inBlock(block, i))));
    status.textContent = block ? `${block[0][1] - block[0][0] + 1} by ${block[1][1] - block[1][0] + 1} cells selected` : "";
    if (extent) cells[extent[0] * C + extent[1]].scrollIntoView({ block: "nearest", inline: "nearest" });
  };

  // Editing

  const send = (edits) => {
    if (!edits.length) return;
    for (const [r, c, text] of edits) { pending.add(r * C + c); inputs[r * C + c].value = text; }
    model.send({ type: "edit", turn: ++turn, cells: edits.map(([r, c, text]) => [top + r, left + c, text.slice(0, 100)]) });
  };
  const commit = () => {
    const i = inputs.indexOf(editing);
    editing = null;
    if (i >= 0 && inputs[i].value !== shown[i]) send([[Math.floor(i / C), i % C, inputs[i].value]]);
  };
  const restore = () => {
    const i = inputs.indexOf(editing);
    editing = null;
    inputs[i].value = shown[i];
    inputs[i].select();
  };
  const inSelection = (visit) => {
    const [[r0, r1], [c0, c1]] = extent ? span() : active.map((k) => [k, k]);
    return Array.from({ length: r1 - r0 + 1 }, (_, r) => Array.from({ length: c1 - c0 + 1 }, (__, c) => visit(r0 + r, c0 + c)));
  };

  const press = (event) => {
    const spot = event.target.closest("input, button") && find(event.target.closest("input, button"));
    if (!spot || event.isComposing) return;
    const { key, shiftKey: shift } = event;
    const ctrl = event.ctrlKey || event.metaKey;
    const input = event.target.tagName === "INPUT" ? event.target : null;
    const [r, c] = extent && shift ? extent : spot;
    const wasLeaving = leaving;
    if (key !== "Shift") leaving = false;
    const move = (to) => {
      event.preventDefault();
      if (editing) commit();
      if (shift && key !== "Enter" && input) select([within(to[0], 0, R - 1), within(to[1], 0, C - 1)]);
      else { go(...to); select(null); }
    };
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-10, 0], PageDown: [10, 0] };
    if (ctrl && /^[zy]$/i.test(key)) {
      if (editing && editing.value !== shown[inputs.indexOf(editing)]) return;
      event.preventDefault();
      model.send({ type: key.toLowerCase() === "y" || shift ? "redo" : "undo" });
    } else if (ctrl && key.toLowerCase() === "a" && input && !editing) {
      event.preventDefault();
      go(0, 0);
      select([R - 1, C - 1]);
    } else if (key === "Tab") {
      if (wasLeaving) return;
      const all = stops(), next = all[all.indexOf(event.target) + (shift ? -1 : 1)];
      if (editing) commit();
      if (!next) return;
      event.preventDefault();
      next.focus();
      select(null);
    } else if (key === "Escape") {
      if (editing) restore();
      else { leaving = true; select(null); }
      problems = [];
      complain();
    } else if (key === "Enter" && input) {
      if (!editing && input.value !== shown[inputs.indexOf(input)]) editing = input;
      move([within(spot[0] + (shift ? -1 : 1), 0, R - 1), spot[1]]);
    } else if (key === "F2" && input) {
      editing = input;
      input.setSelectionRange(input.value.length, input.value.length);
    } else if (input && editing && /^(ArrowLeft|ArrowRight|Home|End)$/.test(key)) {
      return;
    } else if (steps[key]) {
      const [down, along] = steps[key];
      move(ctrl ? [down < 0 ? 0 : down ? R - 1 : r, along < 0 ? 0 : along ? C - 1 : c] : [within(r + down, 0, Math.max(R - 1, r + Math.sign(down))), c + along]);
    } else if (key === "Home" || key === "End") {
      move(key === "Home" ? [ctrl ? 0 : r, 0] : [ctrl ? R - 1 : r, C - 1]);
    } else if (/^(Delete|Backspace)$/.test(key) && extent) {
      event.preventDefault();
      send(inSelection((row, column) => [row, column, ""]).flat());
    }
  };

  const copy = (event) => {
    if (event.target.tagName !== "INPUT" || (editing && editing.selectionStart !== editing.selectionEnd)) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", inSelection((r, c) => at(r, c).value).map((row) => row.join("\t")).join("\n"));
  };
  const paste = (event) => {
    if (event.target.tagName !== "INPUT") return;
    const block = event.clipboardData.getData("text/plain").replace(/\r?\n$/, "").split(/\r?\n/).map((line) => line.split("\t"));
    if (editing && block.length === 1 && block[0].length === 1) return;
    event.preventDefault();
    const [r, c] = extent ? span().map(([low]) => low) : active;
    const [height, width] = [block.length, Math.max(...block.map((line) => line.length))];
    editing = null;
    if (r + height > R || c + width > C) {
      problems = [[top + r, left + c, `The block has ${height} row${height > 1 ? "s" : ""} and ${width} column${width > 1 ? "s" : ""}; from here there is room for ${R - r} and ${C - c}. Nothing was pasted.`]];
      event.target.value = shown[inputs.indexOf(event.target)];
      complain();
    } else {
      send(block.flatMap((line, i) => line.map((text, j) => [r + i, c + j, text])));
      select(height * width > 1 ? [r + height - 1, c + width - 1] : null);
    }
    event.target.select();
  };

  scroller.addEventListener("keydown", press);
  scroller.addEventListener("input", (event) => { if (!editing && extent) select(null); editing = event.target; });
  scroller.addEventListener("focusin", (event) => {
    const stop = event.target.closest("input, button");
    if (!stop) return;
    const old = at(...active);
    if (old) old.tabIndex = -1;
    stop.tabIndex = 0;
    active = find(stop);
    leaving = false;
    if (stop.tagName === "INPUT") stop.select();
    const own = problems.find(([r, c]) => r - top === active[0] && c - left === active[1]);
    if (own) complain(own);
  });
  scroller.addEventListener("focusout", () => commit());
  scroller.addEventListener("copy", copy);
  scroller.addEventListener("cut", copy);
  scroller.addEventListener("paste", paste);
  scroller.addEventListener("scroll", place, { passive: true });
  scroller.addEventListener("click", (event) => {
    const i = frame.explain && !frame.editable ? cells.indexOf(event.target.closest("td")) : -1;
    if (i >= 0) model.send({ type: "explain", kind: "cell", index: (top + Math.floor(i / C)) * frame.size[1] + left + (i % C) });
  });
  scroller.addEventListener("mousedown", (event) => {
    const input = event.target.closest("td")?.querySelector("input");
    if (!input || event.button) return;
    if (event.shiftKey) { event.preventDefault(); if (editing) commit(); select(find(input)); return; }
    if (input !== document.activeElement) { event.preventDefault(); input.focus(); } else editing = input;
    select(null);
  });
  scroller.addEventListener("mouseover", (event) => {
    const input = event.target.closest("td")?.querySelector("input");
    if (input && event.buttons === 1 && !editing && scroller.contains(document.activeElement)) select(find(input));
  });

  // One message may change several parts; they are drawn together, once.
  let due = null;
  const later = (part) => () => {
    (due ??= new Set()).add(part);
    soon();
  };
  const draw = () => {
    const parts = due || new Set(["frame"]);
    due = null;
    if (parts.has("frame")) build();
    if (parts.has("frame") || parts.has("cells")) paint();
    if (parts.has("frame") || parts.has("margins")) paintMargins();
    if (parts.has("frame") || parts.has("reply")) answered();
  };
  const soon = together(draw);
  const heard = ["frame", "cells", "margins", "reply"].map((part) => [`change:${part}`, later(part)]);
  for (const [name, handler] of heard) model.on(name, handler);
  draw();
  return () => { for (const [name, handler] of heard) model.off(name, handler); };
};
export default { render };
