// The figures of a sweep, drawn by Observable Plot: a small plot for each panel.
"use strict";
(() => {
  const { make, say, colour, save, csv, fileName, button, redrawn, tip } = ackclock;
  const SYMBOLS = ["circle", "square", "triangle", "diamond", "wye", "star", "times"];
  const DASHES = ["none", "6 2", "2 2", "6 2 2 2", "3 2 1 2 1 2", "9 3", "none"];
  const FONT = 12;
  const LETTER = 6.4;

  const short = (value) => {
    const size = Math.abs(value);
    return value.toLocaleString("en", { maximumFractionDigits: size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 4 }).replace("-", "−");
  };
  const longest = (texts) => Math.max(0, ...texts.map((one) => one.length));

  // One colour, dash and symbol for each line; numbers get an ordered range of colours.
  const looks = (figure) => {
    const labels = figure.by?.labels ?? [""];
    const count = labels.length;
    const ranged = figure.by?.ordered;
    // The ends that would vanish on the page's ground are left out.
    const [from, to] = ackclock.isDark() && !document.documentElement.classList.contains("paper") ? [0.3, 1] : [0, 0.8];
    return labels.map((label, at) => ({
      label,
      ink: ranged ? d3.interpolateViridis(from + ((to - from) * at) / (count - 1)) : colour(`--line-${at % 7}`),
      // An eighth line has the first colour, but not its dash or symbol.
      dash: DASHES[(at + Math.floor(at / 7)) % 7],
      symbol: SYMBOLS[(at + Math.floor(at / 7)) % 7],
    }));
  };

  // Values of ticks whose labels have room; the first and the last stay.
  const thinned = (values, labels, position) => {
    const kept = [0];
    const last = values.length - 1;
    const half = (at) => (labels[at].length * LETTER) / 2 + 4;
    for (let at = 1; at < last; at += 1) {
      const before = kept[kept.length - 1];
      if (position(values[at]) - position(values[before]) >= half(at) + half(before) && position(values[last]) - position(values[at]) >= half(at) + half(last)) kept.push(at);
    }
    if (last > 0) kept.push(last);
    return kept;
  };

  const extent = (figure, of) => {
    const all = figure.rows.flatMap(of).filter((one) => one !== null && one !== undefined);
    return [Math.min(...all), Math.max(...all)];
  };

  // Domain of the axis of values, the same in all panels.
  const domain = (axis, [low, high]) => {
    if (axis.log) return [low / 1.15, high * 1.15];
    const neutral = axis.neutral;
    if (neutral !== undefined) [low, high] = [Math.min(low, neutral), Math.max(high, neutral)];
    const room = (high - low || Math.abs(high) || 1) * 0.06;
    if (axis.from_zero) return [0, high > 0 ? high + (axis.unit === "%" && high <= 100 ? Math.min(high * 0.03, 103 - high) : high * 0.06) : 1];
    return [low - room, high + room];
  };

  const style = () => ({ fontSize: `${FONT}px`, fontFamily: "system-ui, sans-serif", color: colour("--text"), background: "transparent", overflow: "visible" });
  const gridded = () => ({ stroke: colour("--grid"), strokeOpacity: 1 });

  // Axes and grid of values; the other axis is drawn by `along`.
  const valueAxis = (axis, at, room) => {
    const options = { ticks: axis.log ? undefined : Math.max(3, Math.round(room / 60)), tickFormat: short, label: null, tickSize: 0, fontSize: FONT, color: colour("--soft") };
    return at === "y" ? [Plot.gridY({ ...gridded(), ticks: options.ticks }), Plot.axisY(options)] : [Plot.gridX({ ...gridded(), ticks: options.ticks }), Plot.axisX(options)];
  };

  const spread = (rank, count, pitch) => (rank - (count - 1) / 2) * pitch;

  const crossed = (flip, row) => (flip ? { y: row.x, x: row.y, y1: row.x1, y2: row.x2, x1: row.y1, x2: row.y2 } : row);
  const rule = (flip, data, options) => (flip ? Plot.ruleY(data, { y: "p", x1: "a", x2: "b", ...options }) : Plot.ruleX(data, { x: "p", y1: "a", y2: "b", ...options }));
  const dots = (flip, data, options) => Plot.dot(data, flip ? { x: "v", y: "p", ...options } : { x: "p", y: "v", ...options });

  // Places where the reader can point or step to; each has its words.
  const hits = (data, options) => Plot.dot(data, { r: 6, fill: "transparent", stroke: "transparent", strokeWidth: 2, className: "hits", title: null, ...options });

  const dot = (look, clear) => ({ symbol: look.symbol, r: 3.6, stroke: look.ink, strokeWidth: 1.5, fill: clear === false ? colour("--ground") : look.ink });

  // Lines or marks over an axis of numbers or names.
  function line(figure, rows, shown, width) {
    const named = figure.x.type === "names";
    const labels = figure.x.labels;
    const inner = width - 70;
    const count = shown.filter((one) => one.on).length || 1;
    const flip = named && longest(labels) * LETTER + 12 > inner / labels.length;
    const step = named ? Math.min(0.7 / count, 0.2) : 0;
    const ranks = new Map(shown.filter((one) => one.on).map((one, at) => [one.index, at]));
    const data = rows.filter((row) => ranks.has(row.by)).map((row) => ({ ...row, p: row.x + (named ? spread(ranks.get(row.by), count, step) * (flip ? 1 : 1) : 0), v: row.y, a: row.low, b: row.high }));
    const values = domain(figure.y, extent(figure, (row) => [row.low, row.y, row.high]));
    const marks = [];
    const banded = !named && count <= 6;
    for (const look of shown) {
      const own = d3.sort(data.filter((row) => row.by === look.index), (row) => row.p);
      if (!own.length) continue;
      const known = own.filter((row) => row.a !== null);
      if (banded && known.length > 1) marks.push(Plot.areaY(own, { x: "p", y1: (row) => row.a ?? NaN, y2: (row) => row.b ?? NaN, fill: look.ink, fillOpacity: 0.18, clip: true }));
      else marks.push(rule(flip, known, { stroke: look.ink, strokeWidth: 1.4 }));
      if (!named) marks.push(Plot.lineY(own, { x: "p", y: "v", stroke: look.ink, strokeWidth: 1.8, strokeDasharray: look.dash }));
      for (const clear of [true, false]) marks.push(dots(flip, own.filter((row) => (row.clear !== false) === clear), dot(look, clear)));
    }
    if (figure.y.neutral !== undefined) marks.unshift((flip ? Plot.ruleX : Plot.ruleY)([figure.y.neutral], { stroke: colour("--soft") }));
    const height = flip ? 46 + labels.length * Math.max(20, 13 * count + 8) : Math.max(210, Math.min(300, width * 0.6));
    return plot(figure, { width, height, flip, values, marks: [...marks, hits(data, flip ? { x: "v", y: "p" } : { x: "p", y: "v" })], data });
  }

  function box(figure, rows, shown, width) {
    const labels = figure.x.labels;
    const inner = width - 70;
    const on = shown.filter((one) => one.on);
    const count = on.length || 1;
    const flip = longest(labels) * LETTER + 12 > inner / labels.length || inner / (labels.length * count) < 14;
    const ranks = new Map(on.map((one, at) => [one.index, at]));
    const pitch = Math.min(0.85 / count, 0.5);
    const half = 0.375 * pitch;
    const data = rows.filter((row) => ranks.has(row.by)).map((row) => {
      const [low, quarter, median, three, high] = row.box;
      return { ...row, low, quarter, median, three, high, v: median, p: row.x + spread(ranks.get(row.by), count, pitch) };
    });
    const values = domain(figure.y, extent(figure, (row) => [...row.box, ...row.points]));
    const marks = [];
    for (const look of shown) {
      const own = data.filter((row) => row.by === look.index);
      const sides = (low, high) => crossed(flip, { x1: (row) => row.p - half, x2: (row) => row.p + half, y1: low, y2: high });
      marks.push(rule(flip, own.map((row) => ({ p: row.p, a: row.low, b: row.high })), { stroke: look.ink }));
      marks.push(Plot.rect(own, { ...sides("quarter", "three"), fill: `color-mix(in srgb, ${look.ink} 26%, ${colour("--ground")})`, stroke: look.ink }));
      marks.push(flip ? Plot.ruleX(own, { x: "median", y1: (row) => row.p - half, y2: (row) => row.p + half, stroke: look.ink, strokeWidth: 2.4 }) : Plot.ruleY(own, { y: "median", x1: (row) => row.p - half, x2: (row) => row.p + half, stroke: look.ink, strokeWidth: 2.4 }));
      // Spread over the box in the order of their seeds, which is the same in every figure.
      const points = own.flatMap((row) => row.points.map((v, at) => ({ v, p: row.p + (((0.618034 * at) % 1) - 0.5) * 1.2 * half })));
      marks.push(dots(flip, points, { r: 1.7, fill: colour("--text"), fillOpacity: 0.55 }));
    }
    const height = flip ? 46 + labels.length * Math.max(24, 15 * count + 8) : Math.max(210, Math.min(300, width * 0.6));
    return plot(figure, { width, height, flip, values, marks: [...marks, hits(data, flip ? { x: "median", y: "p" } : { x: "p", y: "median" })], data });
  }

  // The common frame of lines, marks and boxes.
  function plot(figure, { width, height, flip, values, marks, data }) {
    const named = figure.x.type === "names";
    const labels = figure.x.labels;
    const left = flip ? Math.min(longest(labels) * LETTER + 14, width * 0.45) : 50;
    const along = named
      ? { domain: [-0.6, labels.length - 0.4], type: "linear" }
      : { type: figure.x.type === "log" ? "log" : "linear", domain: padded(figure.x) };
    const room = width - left - 18;
    const scale = (figure.x.type === "log" ? d3.scaleLog() : d3.scaleLinear()).domain(along.domain).range([0, room]);
    const order = d3.sort(d3.range(labels.length), (at) => figure.x.values[at]);
    const all = order.map((at) => figure.x.values[at]);
    const kept = flip ? d3.range(all.length) : thinned(all, order.map((at) => labels[at]), scale);
    const ticks = { ticks: kept.map((at) => all[at]), tickFormat: (one) => labels[d3.least(order, (at) => Math.abs(figure.x.values[at] - one))], label: null, tickSize: named ? 0 : 5, fontSize: FONT, color: colour("--soft") };
    const value = { type: figure.y.log ? "log" : "linear", domain: values };
    const svg = Plot.plot({
      width, height, style: style(),
      marginLeft: left, marginRight: 18, marginTop: 8, marginBottom: 26,
      x: flip ? value : along,
      y: flip ? { ...along, domain: [...along.domain].reverse() } : value,
      marks: [...valueAxis(figure.y, flip ? "x" : "y", flip ? room : height), flip ? Plot.axisY(ticks) : Plot.axisX(ticks), ...marks],
    });
    return { svg, data, titles: flip ? [figure.y.title, figure.x.title] : [figure.x.title, figure.y.title] };
  }

  const padded = (axis) => {
    const low = Math.min(...axis.values);
    const high = Math.max(...axis.values);
    if (axis.type === "log") { const room = Math.max((high / low) ** 0.04, 1.02); return [low / room, high * room]; }
    const room = (high - low || 1) * 0.04;
    return [low - room, high + room];
  };

  function heat(figure, rows, _shown, width) {
    const [low, high] = extent(figure, (row) => [row.value]);
    const scale = figure.value.log ? d3.scaleSequentialLog([low, high], d3.interpolateCividis) : d3.scaleSequential([low, high === low ? low + 1 : high], d3.interpolateCividis);
    const left = Math.min(longest(figure.y.labels) * LETTER + 14, width * 0.35);
    const room = (width - left - 8) / figure.x.labels.length;
    const numbers = room > longest(rows.map((row) => row.label)) * LETTER + 4;
    const tilted = longest(figure.x.labels) * LETTER + 6 > room;
    const below = tilted ? longest(figure.x.labels) * LETTER * 0.72 + 18 : 26;
    const data = rows.map((row) => ({ ...row, dark: d3.lab(scale(row.value)).l < 55 }));
    const svg = Plot.plot({
      width, height: 14 + below + 36 * figure.y.labels.length, style: style(),
      marginLeft: left, marginRight: 8, marginTop: 6, marginBottom: below,
      x: { type: "band", domain: d3.range(figure.x.labels.length), padding: 0.03 },
      y: { type: "band", domain: d3.range(figure.y.labels.length).reverse(), padding: 0.06 },
      color: { type: "identity" },
      marks: [
        Plot.axisX({ tickFormat: (at) => figure.x.labels[at], tickRotate: tilted ? -40 : 0, label: null, tickSize: 0, fontSize: FONT, color: colour("--soft") }),
        Plot.axisY({ tickFormat: (at) => figure.y.labels[at], label: null, tickSize: 0, fontSize: FONT, color: colour("--soft") }),
        Plot.cell(data, { x: "x", y: "y", fill: (row) => scale(row.value) }),
        ...(numbers ? [Plot.text(data, { x: "x", y: "y", text: "label", fill: (row) => (row.dark ? "#ffffff" : "#000000"), fontSize: FONT })] : []),
        hits(data, { x: "x", y: "y", r: 12 }),
      ],
    });
    return { svg, data, titles: [figure.x.title, figure.y.title], ramp: { scale, low, high } };
  }

  function cdf(figure, rows, shown, width) {
    const on = new Set(shown.filter((one) => one.on).map((one) => one.index));
    const data = rows.filter((row) => on.has(row.by));
    const values = domain({ ...figure.x, unit: "" }, extent(figure, (row) => [row.x]));
    const marks = [];
    for (const look of shown) {
      const own = data.filter((row) => row.by === look.index);
      if (!own.length) continue;
      marks.push(Plot.line([{ x: own[0].x, y: 0 }, ...own], { x: "x", y: "y", curve: "step-after", stroke: look.ink, strokeWidth: 1.8, strokeDasharray: look.dash }));
    }
    const height = Math.max(210, Math.min(300, width * 0.6));
    const svg = Plot.plot({
      width, height, style: style(), marginLeft: 50, marginRight: 18, marginTop: 8, marginBottom: 26,
      x: { domain: values }, y: { domain: [0, 103] },
      marks: [
        Plot.gridY({ ...gridded(), ticks: [0, 25, 50, 75, 100] }), Plot.gridX({ ...gridded(), ticks: Math.round(width / 90) }),
        Plot.axisY({ ticks: [0, 25, 50, 75, 100], label: null, tickSize: 0, fontSize: FONT, color: colour("--soft") }),
        Plot.axisX({ ticks: Math.max(3, Math.round(width / 90)), tickFormat: short, label: null, tickSize: 5, fontSize: FONT, color: colour("--soft") }),
        ...marks, hits(data, { x: "x", y: "y" }),
      ],
    });
    return { svg, data, titles: [figure.x.title, figure.y.title] };
  }

  function scatter(figure, rows, shown, width) {
    const on = new Set(shown.filter((one) => one.on).map((one) => one.index));
    const data = rows.filter((row) => on.has(row.by));
    // Each panel has its own range of delays: paths differ more than the algorithms on them.
    const points = rows.flatMap((row) => [[row.x, row.y], ...row.points, ...(row.outline ?? [])]);
    const everyY = figure.rows.flatMap((row) => [row.y, ...row.points.map((one) => one[1]), ...(row.outline ?? []).map((one) => one[1])]);
    const log = figure.x.type === "log";
    const across = points.map((one) => one[0]);
    let [low, high] = [Math.min(...across), Math.max(...across)];
    if (log) { const room = (high / low) ** 0.08; [low, high] = [low / room, high * room]; }
    else { const room = (high - low || high || 1) * 0.08; [low, high] = [low >= 0 ? Math.max(0, low - room) : low - room, high + room]; }
    // Panels share the range of throughput, unless it would flatten each of them.
    const own = points.map((one) => one[1]);
    let y = [Math.min(...everyY), Math.max(...everyY)];
    if (y[1] - y[0] > 3 * (Math.max(...own) - Math.min(...own))) y = [Math.min(...own), Math.max(...own)];
    const tall = (y[1] - y[0] || y[1] || 1) * 0.08;
    const values = [y[0] >= 0 ? Math.max(0, y[0] - tall) : y[0] - tall, y[1] + tall];
    const marks = [];
    for (const look of shown) {
      const own = data.filter((row) => row.by === look.index);
      if (own.length > 1) marks.push(Plot.line(own, { x: "x", y: "y", stroke: look.ink, strokeDasharray: look.dash, strokeOpacity: 0.8 }));
      own.forEach((row, at) => {
        if (row.outline) marks.push(Plot.line(row.outline, { x: (one) => one[0], y: (one) => one[1], stroke: look.ink, fill: look.ink, fillOpacity: 0.16, curve: "linear-closed" }));
        marks.push(Plot.dot(row.points, { x: (one) => one[0], y: (one) => one[1], r: 1.6, fill: look.ink, fillOpacity: 0.6 }));
        marks.push(Plot.dot([row], { x: "x", y: "y", ...dot(look), r: own.length > 1 ? 3 + (3 * at) / (own.length - 1) : 4.5, stroke: colour("--ground"), strokeWidth: 1, fill: look.ink }));
      });
    }
    const height = Math.max(240, Math.min(360, width * 0.72));
    const svg = Plot.plot({
      width, height, style: style(), marginLeft: 50, marginRight: 18, marginTop: 8, marginBottom: 26,
      x: { type: log ? "log" : "linear", domain: [high, low] }, y: { domain: values },
      marks: [
        Plot.gridY(gridded()), Plot.gridX({ ...gridded(), ticks: Math.round(width / 90) }),
        Plot.axisY({ tickFormat: short, label: null, tickSize: 0, fontSize: FONT, color: colour("--soft") }),
        Plot.axisX({ ticks: log ? undefined : Math.max(3, Math.round(width / 90)), tickFormat: short, label: null, tickSize: 5, fontSize: FONT, color: colour("--soft") }),
        ...marks, hits(data, { x: "x", y: "y" }),
      ],
    });
    return { svg, data, titles: [`${figure.x.title}, ${figure.x.note}`, figure.y.title] };
  }

  // Rows with an interval each, in groups of one setting.
  function difference(figure, rows, shown, width) {
    const on = new Set(shown.filter((one) => one.on).map((one) => one.index));
    const groups = d3.groups(rows.filter((row) => on.has(row.by)), (row) => row.group);
    const flat = groups.every(([name]) => !name);
    const headed = !flat && groups.some(([, own]) => own.length > 1);
    const data = [];
    const heads = [];
    let at = 0;
    for (const [name, own] of groups) {
      if (headed) { heads.push({ p: at, name }); at += 1; }
      for (const row of own) { data.push({ ...row, p: at, label: headed || flat ? row.name : name, v: row.y, a: row.low, b: row.high, text: `${[row.group, row.name].filter(Boolean).join(", ")}: ${row.text}`, figures: row.text.replace(` ${figure.y.unit}`, "") }); at += 1; }
      if (headed) at += 0.3;
    }
    const values = domain(figure.y, extent(figure, (row) => [row.low, row.y, row.high]));
    const left = Math.min(Math.max(longest(data.map((row) => row.label)) * LETTER + 20, longest(heads.map((one) => one.name)) * (LETTER + 0.8) + 8, 60), width * 0.42);
    const wide = longest(data.map((row) => row.figures)) * LETTER + 18;
    const right = width >= 460 ? wide : 12;
    const marks = [Plot.ruleX([figure.y.neutral], { stroke: colour("--soft") })];
    for (const look of shown) {
      const own = data.filter((row) => row.by === look.index);
      marks.push(Plot.ruleY(own.filter((row) => row.a !== null), { y: "p", x1: "a", x2: "b", stroke: look.ink, strokeWidth: 1.8 }));
      for (const clear of [true, false]) marks.push(Plot.dot(own.filter((row) => row.clear === clear), { x: "v", y: "p", ...dot(look, clear) }));
    }
    const common = { frameAnchor: "left", y: "p", fontSize: FONT, textAnchor: "start" };
    const svg = Plot.plot({
      width, height: 40 + at * 20, style: style(), marginLeft: left, marginRight: right, marginTop: 6, marginBottom: 26,
      x: { domain: values }, y: { type: "linear", domain: [at - 0.4, -0.6], axis: null },
      marks: [
        ...valueAxis(figure.y, "x", width - left - right),
        Plot.text(heads, { ...common, text: "name", dx: -left, fontWeight: 600, fill: colour("--text") }),
        Plot.text(data, { ...common, text: "label", dx: headed ? 12 - left : -left, fill: colour("--text") }),
        ...(right > 12 ? [Plot.text(data, { ...common, frameAnchor: "right", text: "figures", dx: 8, fill: (row) => colour(row.clear ? "--text" : "--soft") })] : []),
        ...marks, hits(data, { x: "v", y: "p" }),
      ],
    });
    return { svg, data, titles: [figure.y.title, ""] };
  }

  const KINDS = { line, box, heat, cdf, scatter, difference };

  const swatch = (look, kind) => {
    const dash = kind === "line" || kind === "cdf" ? `<path d="M0 7H26" stroke="${look.ink}" stroke-width="2" fill="none" stroke-dasharray="${look.dash}"/>` : "";
    const symbol = kind === "cdf" ? "" : `<path d="${d3.symbol(d3[`symbol${look.symbol[0].toUpperCase()}${look.symbol.slice(1)}`], 46)()}" transform="translate(13 7)" fill="${look.ink}" stroke="${look.ink}"/>`;
    return `<svg width="26" height="14" viewBox="0 0 26 14" aria-hidden="true">${dash}${symbol}</svg>`;
  };

  class Figure {
    constructor(node) {
      this.node = node;
      this.figure = JSON.parse(node.querySelector("script").textContent);
      this.place = node.querySelector(".marks");
      this.words = tip(this.place);
      this.on = (this.figure.by?.labels ?? [""]).map(() => true);
      this.at = -1;
      this.spots = [];
      if (this.figure.by && this.figure.kind !== "heat") this.legend();
      const name = node.querySelector(".name").textContent;
      node.querySelector(".tools").append(
        button("CSV", `Save the data of: ${name}`, () => this.table()),
        button("SVG", `Save the figure: ${name}`, () => this.image()),
      );
      this.place.addEventListener("pointermove", (event) => this.point(event));
      this.place.addEventListener("pointerleave", () => this.leave());
      this.place.addEventListener("blur", () => this.leave());
      this.place.addEventListener("keydown", (event) => this.key(event));
    }

    legend() {
      const { by } = this.figure;
      this.keys = make("div", { className: "keys" });
      if (by.title) this.keys.append(make("span", { className: "hint" }, by.title));
      const used = new Set(this.figure.rows.map((row) => row.by));
      by.labels.forEach((label, at) => {
        if (!used.has(at)) return;
        const node = make("button", { type: "button", className: "key", onclick: () => {
          this.on[at] = !this.on[at];
          node.setAttribute("aria-pressed", String(this.on[at]));
          this.draw();
        } });
        node.setAttribute("aria-pressed", "true");
        node.dataset.by = at;
        this.keys.append(node);
      });
      this.node.querySelector(".y-title").before(this.keys);
    }

    draw(paper = false) {
      const { figure, place } = this;
      // Nothing can be drawn in a place that is not laid out.
      if (!paper && place.clientWidth < 60) return;
      const shown = looks(figure).map((look, index) => ({ ...look, index, on: this.on[index] }));
      for (const node of this.keys?.querySelectorAll("button") ?? []) {
        const look = shown[Number(node.dataset.by)];
        node.innerHTML = swatch(look, figure.kind);
        node.append(look.label);
      }
      for (const old of place.querySelectorAll(".panel")) old.remove();
      const room = paper ? 640 : place.clientWidth;
      const count = figure.panels.length || 1;
      const least = figure.kind === "heat" ? 300 : 250;
      const columns = Math.max(1, Math.min(count, Math.floor((room + 20) / (least + 20)), 3));
      const width = Math.floor((room - 20 * (columns - 1)) / columns);
      place.style.setProperty("--columns", columns);
      this.spots = [];
      let titles = ["", ""];
      (figure.panels.length ? figure.panels : [""]).forEach((title, index) => {
        const rows = figure.rows.filter((row) => (row.panel ?? 0) === index);
        const panel = make("div", { className: "panel", ariaHidden: "true" });
        if (title) panel.append(make("p", { className: "panel-title" }, title));
        if (rows.length) {
          const done = KINDS[figure.kind](figure, rows, shown, count === 1 ? Math.min(width, 760) : width);
          panel.append(done.svg);
          titles = done.titles;
          const nodes = [...done.svg.querySelectorAll(".hits > *")];
          nodes.forEach((node, at) => { if (done.data[at]) this.spots.push({ node, text: done.data[at].text }); });
          if (done.ramp && index === 0) this.ramp(done.ramp);
        }
        place.append(panel);
      });
      this.node.querySelector(".x-title").textContent = titles[0];
      this.node.querySelector(".y-title").textContent = titles[1];
    }

    ramp({ scale, low, high }) {
      this.node.querySelector(".ramp")?.remove();
      const stops = d3.range(0, 1.01, 0.1).map((share) => scale(this.figure.value.log ? low * (high / low) ** share : low + share * (high - low)));
      const bar = make("i", { ariaHidden: "true" });
      bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
      this.node.querySelector(".y-title").before(make("div", { className: "ramp" }, this.figure.value.title, make("span", {}, short(low), bar, short(high))));
    }

    show(spot) {
      for (const one of this.spots) one.node.style.stroke = one === spot ? colour("--text") : "transparent";
      if (!spot) { this.words.hide(); return; }
      const box = spot.node.getBoundingClientRect();
      const frame = this.place.getBoundingClientRect();
      this.words.show(spot.text, box.x + box.width / 2 - frame.x, box.y + box.height / 2 - frame.y);
    }

    leave() { this.at = -1; this.show(null); }

    point(event) {
      let best = null;
      let least = 60 * 60;
      for (const spot of this.spots) {
        const box = spot.node.getBoundingClientRect();
        const away = (box.x + box.width / 2 - event.clientX) ** 2 + (box.y + box.height / 2 - event.clientY) ** 2;
        if (away < least) { best = spot; least = away; }
      }
      this.show(best);
    }

    key(event) {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const count = this.spots.length;
      if (!count || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Home") this.at = 0;
      else if (event.key === "End") this.at = count - 1;
      else if (event.key === "Escape") { this.leave(); return; }
      else if (step) this.at = this.at < 0 ? (step > 0 ? 0 : count - 1) : (this.at + step + count) % count;
      else return;
      event.preventDefault();
      const spot = this.spots[this.at];
      this.show(spot);
      say(spot.text);
    }

    table() {
      const { figure } = this;
      const { rows } = figure;
      const head = [];
      const of = [];
      const add = (name, get) => { head.push(name); of.push(get); };
      if (figure.panels.some(Boolean)) add("panel", (row) => figure.panels[row.panel]);
      if (figure.by) add(figure.by.title, (row) => figure.by.labels[row.by]);
      if (figure.kind === "difference") add("setting", (row) => row.group);
      if (figure.kind === "heat") { add(figure.x.title, (row) => figure.x.labels[row.x]); add(figure.y.title, (row) => figure.y.labels[row.y]); add(figure.value.title, (row) => row.value); }
      else if (figure.kind === "box") { add(figure.x.title, (row) => figure.x.labels[row.x]); ["low whisker", "lower quartile", "median", "upper quartile", "high whisker"].forEach((name, at) => add(`${figure.y.title}, ${name}`, (row) => row.box[at])); }
      else {
        if (figure.x.title) add(figure.x.title, (row) => (figure.x.type === "names" ? figure.x.labels[row.x] : row.x));
        add(figure.y.title, (row) => row.y);
        if ("low" in rows[0]) { add("low end of the interval", (row) => row.low); add("high end of the interval", (row) => row.high); add("seeds", (row) => row.n); }
      }
      const name = this.node.querySelector(".name").textContent;
      save(`${fileName(name)}.csv`, csv([head, ...rows.map((row) => of.map((get) => get(row)))]), "text/csv");
    }

    image() {
      const plots = [...this.place.querySelectorAll(".panel svg")];
      const boxes = plots.map((one) => one.getBoundingClientRect());
      const frame = this.place.getBoundingClientRect();
      const width = Math.ceil(Math.max(...boxes.map((one) => one.right - frame.left)));
      const height = Math.ceil(Math.max(...boxes.map((one) => one.bottom - frame.top))) + 50;
      const text = (x, y, words, more = "") => `<text x="${x}" y="${y}" fill="${colour("--text")}" font-family="system-ui, sans-serif" font-size="12" ${more}>${words.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>`;
      const parts = plots.map((one, at) => {
        const copy = one.cloneNode(true);
        copy.querySelectorAll(".hits").forEach((hit) => hit.remove());
        copy.setAttribute("x", boxes[at].left - frame.left);
        copy.setAttribute("y", boxes[at].top - frame.top + 24);
        copy.setAttribute("color", colour("--text"));
        const title = one.parentNode.querySelector(".panel-title")?.textContent;
        return (title ? text(boxes[at].left - frame.left + 50, boxes[at].top - frame.top + 18, title) : "") + new XMLSerializer().serializeToString(copy);
      });
      const name = this.node.querySelector(".name").textContent;
      const titles = text(width - 18, height - 6, this.node.querySelector(".x-title").textContent, 'text-anchor="end"') + text(0, 14, this.node.querySelector(".y-title").textContent, 'font-weight="600"');
      save(`${fileName(name)}.svg`, `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="${colour("--ground")}"/>${titles}${parts.join("")}</svg>`, "image/svg+xml");
    }
  }

  const figures = [...document.querySelectorAll("figure[data-chart]")].map((node) => new Figure(node));
  if (!figures.length) return;
  const draw = (paper = false) => figures.forEach((one) => one.draw(paper));
  draw();
  redrawn(draw);
  const widths = new Map();
  const watch = new ResizeObserver((entries) => {
    if (document.documentElement.classList.contains("paper")) return;
    for (const { target, contentRect } of entries) {
      if (Math.abs((widths.get(target) ?? contentRect.width) - contentRect.width) > 1) figures.find((one) => one.place === target).draw();
      widths.set(target, contentRect.width);
    }
  });
  figures.forEach((one) => watch.observe(one.place));
})();
