// A run over time: panels of uPlot that share the axis of time, the pointer and the lines.
"use strict";
(() => {
  const source = document.getElementById("series-data");
  if (!source) return;
  const { make, say, colour, save, csv, fileName, button, redrawn, tip } = ackclock;
  const figure = JSON.parse(source.textContent);
  const lines = figure.lines;
  const frame = document.getElementById("series");

  const unpack = (packed) => {
    if (!packed) return null;
    const bytes = Uint8Array.from(atob(packed.data), (one) => one.charCodeAt(0));
    const digits = Math.max(0, -Math.floor(Math.log10(packed.step) + 1e-9));
    return Array.from(new Uint16Array(bytes.buffer), (whole) => (whole === 65535 ? null : Number((whole * packed.step).toFixed(digits))));
  };
  const panels = figure.panels.map((panel) => ({
    ...panel,
    x: figure.times[panel.time],
    curves: panel.curves.map((one) => ({
      ...one,
      line: one.line < 0 ? lines.length + one.line : one.line,
      value: unpack(one.value),
      low: unpack(one.low),
      high: unpack(one.high),
    })),
  }));

  // Least value above zero, where an axis of ratios begins.
  const lowest = (panel) => (panel.lowest ??= panel.curves.reduce((least, { value }) => value.reduce((one, each) => (each > 0 && each < one ? each : one), least), Infinity));
  let logarithmic = false;

  const visible = lines.map((line) => line.shown);
  let active = null;
  let drawn = [];
  let zoom = null;

  const stroke = (line) => colour(line.queue === undefined ? `--line-${line.colour % 7}` : `--queue-${line.queue % 3}`);
  const faint = (text, alpha) => `color-mix(in srgb, ${text} ${alpha}%, transparent)`;
  const short = (value) => {
    if (value === null || value === undefined) return "–";
    const size = Math.abs(value);
    return value.toLocaleString("en", { maximumFractionDigits: size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3 });
  };
  const seconds = (time) => `${time.toFixed(figure.end >= 10 ? 2 : figure.end >= 1 ? 3 : 5)} s`;
  const told = (panel, curve, at) =>
    `${lines[curve.line].name} · ${seconds(panel.x[at])} · ${curve.name} ${short(curve.value[at])} ${panel.unit}`;

  // Index of the nearest moment at which a curve has a value.
  const nearest = (panel, time, value) => {
    let low = 0;
    let high = panel.x.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (panel.x[middle] <= time) low = middle;
      else high = middle;
    }
    const found = high > low && panel.x[high] - time < time - panel.x[low] ? high : low;
    if (!value || value[found] !== null) return found;
    for (let away = 1; away < panel.x.length; away += 1) {
      for (const at of [found + away, found - away]) if (value[at] !== null && value[at] !== undefined) return at;
    }
    return found;
  };

  const emphasise = (line) => {
    if (line === active) return;
    active = line;
    for (const { plot, curves } of drawn) {
      if (!plot) continue;
      const at = line === null ? -1 : curves.findIndex((one) => one?.line === line);
      plot.setSeries(at < 0 ? null : at, { focus: at >= 0 });
    }
    for (const one of document.querySelectorAll("[data-line]")) one.classList.toggle("active", Number(one.dataset.line) === line);
  };

  const drawMarks = (plot, panel) => {
    const { ctx } = plot;
    const size = 3.2 * uPlot.pxRatio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(plot.bbox.left, plot.bbox.top - size, plot.bbox.width, plot.bbox.height + 2 * size);
    ctx.clip();
    for (const marks of panel.marks) {
      const up = marks.kind === "marks";
      ctx.fillStyle = colour(up ? "--mark" : "--drop");
      ctx.beginPath();
      marks.time.forEach((time, at) => {
        const x = plot.valToPos(time, "x", true);
        const y = plot.valToPos(marks.value[at], "y", true);
        const tall = up ? -size : size;
        ctx.moveTo(x, y + tall);
        ctx.lineTo(x - size, y - tall);
        ctx.lineTo(x + size, y - tall);
        ctx.closePath();
      });
      ctx.fill();
    }
    ctx.restore();
  };

  const shade = (plot, from, to, style) => {
    const left = Math.max(plot.valToPos(from, "x", true), plot.bbox.left);
    const right = Math.min(plot.valToPos(to, "x", true), plot.bbox.left + plot.bbox.width);
    if (right <= left) return null;
    plot.ctx.fillStyle = style;
    plot.ctx.fillRect(left, plot.bbox.top, right - left, plot.bbox.height);
    return [left, right];
  };

  // Slow start, recovery and the states of BBR of the chosen flow, behind its window.
  const phased = figure.phases ?? {};
  const picker = document.getElementById("phases-of");
  const drawPhases = (plot) => {
    const found = phased[picker?.value];
    if (!found) return;
    const names = figure.phase_names;
    plot.ctx.save();
    plot.ctx.font = `${11 * uPlot.pxRatio}px system-ui, sans-serif`;
    plot.ctx.textBaseline = "top";
    for (const [from, to, name] of found) {
      const place = shade(plot, from, to, faint(colour(`--phase-${name % 7}`), 34));
      if (!place) continue;
      const width = plot.ctx.measureText(names[name]).width;
      if (place[1] - place[0] > width + 8 * uPlot.pxRatio) {
        plot.ctx.fillStyle = colour("--soft");
        plot.ctx.fillText(names[name], place[0] + 4 * uPlot.pxRatio, plot.bbox.top + 3 * uPlot.pxRatio);
      }
    }
    plot.ctx.restore();
  };

  const options = (panel, width, height, curves, series, bands, holder) => {
    const soft = colour("--soft");
    const grid = { stroke: colour("--grid"), width: 1 };
    const axis = { stroke: soft, grid, ticks: { ...grid, size: 4 }, font: "12px system-ui, sans-serif" };
    return {
      width,
      height,
      padding: [8, 10, 0, 0],
      legend: { show: false },
      focus: { alpha: 0.18 },
      scales: {
        x: { time: false, range: (_, low, high) => (zoom ? zoom : [0, figure.end]) },
        y: {
          distr: logarithmic && ["cwnd", "goodput"].includes(panel.id) ? 3 : 1,
          range: (_, low, high) => {
            if (low === null) return [logarithmic ? 0.1 : 0, 1];
            if (logarithmic && ["cwnd", "goodput"].includes(panel.id)) return [Math.max(lowest(panel), high / 1e4) / 1.15, high * 1.15];
            if (panel.from_zero) return [0, high > 0 ? high * 1.06 : 1];
            const room = (high - low || Math.abs(high) || 1) * 0.06;
            return [low - room, high + room];
          },
        },
      },
      axes: [
        { ...axis, size: 34, values: (_, all) => all.map((one) => `${short(one)}`), label: "time (s)", labelSize: 16, labelFont: "12px system-ui, sans-serif", labelGap: -4 },
        { ...axis, size: (_, all) => 14 + 7.2 * Math.max(3, ...(all ?? []).map((one) => (one ?? "").length)), values: (_, all) => all.map((one) => (one === null ? "" : short(one))) },
      ],
      series,
      bands,
      cursor: {
        y: false,
        points: { size: 7 },
        drag: { x: true, y: false, setScale: true },
        sync: { key: "series", scales: ["x", null], setSeries: false, filters: { pub: (type) => /move|leave/.test(type), sub: () => true } },
      },
      hooks: {
        drawAxes: [(plot) => {
          if (figure.warmup > 0) shade(plot, 0, figure.warmup, faint(soft, 14));
          if (panel.id === "cwnd") drawPhases(plot);
        }],
        draw: [(plot) => drawMarks(plot, panel)],
        setSelect: [(plot) => {
          if (plot.select.width > 3) setZoom([plot.posToVal(plot.select.left, "x"), plot.posToVal(plot.select.left + plot.select.width, "x")]);
        }],
        setCursor: [(plot) => holder.pointed(plot)],
      },
    };
  };

  const setZoom = (range) => {
    zoom = range && range[1] - range[0] > figure.end * 1e-6 ? [Math.max(0, range[0]), Math.min(figure.end, range[1])] : null;
    for (const { plot } of drawn) plot?.setScale("x", zoom ? { min: zoom[0], max: zoom[1] } : { min: 0, max: figure.end });
  };
  const scaleZoom = (factor, centre) => {
    const [low, high] = zoom ?? [0, figure.end];
    const middle = centre ?? (low + high) / 2;
    const next = [middle - (middle - low) * factor, middle + (high - middle) * factor];
    setZoom(next[0] <= 0 && next[1] >= figure.end ? null : next);
  };

  class Holder {
    constructor(panel) {
      this.panel = panel;
      this.node = frame.querySelector(`[data-panel="${panel.id}"]`);
      this.place = this.node.querySelector(".plot");
      this.readout = this.node.querySelector(".readout");
      this.words = tip(this.place);
      this.inside = false;
      this.plot = null;
      this.curves = [];
      this.at = null;
      this.place.addEventListener("pointerenter", () => { this.inside = true; });
      this.place.addEventListener("pointerleave", () => { this.inside = false; this.words.hide(); if (lines.length > 6) emphasise(null); });
      this.place.addEventListener("keydown", (event) => this.key(event));
      this.place.addEventListener("dblclick", () => setZoom(null));
      this.place.addEventListener("blur", () => { this.words.hide(); this.at = null; for (const one of drawn) one.plot?.setCursor({ left: -10, top: -10 }); });
      const tools = this.node.querySelector(".tools");
      tools.append(
        button("CSV", `Save the data of: ${panel.title}`, () => this.table()),
        button("PNG", `Save as a picture: ${panel.title}`, () => this.image()),
      );
    }

    draw(paper) {
      // Nothing can be drawn in a place that is not laid out.
      if (!paper && this.plot && this.place.clientWidth < 60) return;
      this.plot?.destroy();
      const width = paper ? 330 : this.place.clientWidth;
      const height = paper ? 190 : Math.round(Math.max(190, Math.min(280, width * 0.42)));
      const data = [this.panel.x];
      const series = [{}];
      const bands = [];
      this.curves = [null];
      for (const curve of this.panel.curves) {
        const line = lines[curve.line];
        const ink = stroke(line);
        const thin = line.single ? 1 : 1.5;
        const paths = curve.steps ? uPlot.paths.stepped({ align: 1 }) : undefined;
        if (curve.low) {
          bands.push({ series: [data.length, data.length + 1], fill: faint(ink, 22), show: visible[curve.line] });
          for (const end of [curve.high, curve.low]) {
            data.push(end);
            series.push({ show: visible[curve.line], stroke: "transparent", width: 0, points: { show: false } });
            this.curves.push({ line: curve.line, edge: true });
          }
        }
        data.push(curve.value);
        series.push({ show: visible[curve.line], stroke: ink, width: curve.dashed ? 1 : thin, dash: curve.dashed ? [4, 3] : undefined, paths, points: { show: false } });
        this.curves.push(curve);
      }
      this.plot = new uPlot(options(this.panel, width, height, this.curves, series, bands, this), data, this.place);
      this.plot.root.setAttribute("aria-hidden", "true");
      if (active !== null) { const now = active; active = null; emphasise(now); }
    }

    show(line) {
      this.curves.forEach((curve, at) => { if (curve && curve.line === line) this.plot.setSeries(at, { show: visible[line] }); });
    }

    // The shown curve that is nearest to a height in the panel.
    near(at, top) {
      let best = null;
      let distance = Infinity;
      for (const curve of this.curves) {
        if (!curve || curve.edge || !visible[curve.line] || curve.value[at] === null || curve.value[at] === undefined) continue;
        const away = Math.abs(this.plot.valToPos(curve.value[at], "y") - top);
        if (away < distance) { best = curve; distance = away; }
      }
      return best;
    }

    pointed(plot) {
      const { left, top, idx } = plot.cursor;
      if (left === undefined || left < 0 || idx === null || idx === undefined) {
        this.words.hide();
        this.readout.textContent = "";
        return;
      }
      if (this.inside) {
        const curve = this.near(idx, top);
        if (curve) {
          if (lines.length > 6) emphasise(curve.line);
          const box = plot.over;
          this.words.show(told(this.panel, curve, idx), box.offsetLeft + left, box.offsetTop + plot.valToPos(curve.value[idx], "y"));
          for (const one of drawn) one.tell(curve.line, this.panel.x[idx]);
        }
      }
    }

    // The value of a line in this panel, beside its title.
    tell(line, time) {
      const curve = this.curves.find((one) => one && !one.edge && one.line === line) ?? (this.panel.id === "queue" ? this.curves[1] : null);
      this.readout.textContent = curve ? `${short(curve.value[nearest(this.panel, time, curve.value)])} ${this.panel.unit}` : "";
    }

    key(event) {
      const [low, high] = zoom ?? [0, figure.end];
      const shown = this.curves.filter((one) => one && !one.edge && visible[one.line]);
      if (!shown.length) return;
      const step = ((high - low) / 100) * (event.shiftKey ? 10 : 1);
      let time = this.at ?? low;
      let line = Math.max(0, shown.findIndex((one) => one.line === active));
      const moves = {
        ArrowRight: () => { time += this.at === null ? 0 : step; },
        ArrowLeft: () => { time -= step; },
        Home: () => { time = low; },
        End: () => { time = high; },
        ArrowDown: () => { line = (line + 1) % shown.length; },
        ArrowUp: () => { line = (line - 1 + shown.length) % shown.length; },
        "+": () => scaleZoom(0.5, time),
        "-": () => scaleZoom(2, time),
        Escape: () => setZoom(null),
      };
      const act = moves[event.key === "=" ? "+" : event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act();
      this.at = Math.min(Math.max(time, (zoom ?? [0])[0]), (zoom ?? [0, figure.end])[1]);
      const curve = shown[line];
      const at = nearest(this.panel, this.at, curve.value);
      if (lines.length > 1) emphasise(curve.line);
      const y = curve.value[at] ?? 0;
      for (const one of drawn) {
        one.plot.setCursor({ left: one.plot.valToPos(this.at, "x"), top: one === this ? one.plot.valToPos(y, "y") : -10 }, false);
        one.tell(curve.line, this.at);
      }
      const text = told(this.panel, curve, at);
      this.words.show(text, this.plot.over.offsetLeft + this.plot.valToPos(this.at, "x"), this.plot.over.offsetTop + this.plot.valToPos(y, "y"));
      say(text);
    }

    table() {
      const columns = this.panel.curves.flatMap((curve) => {
        const name = `${lines[curve.line].name} ${curve.name} (${this.panel.unit})`;
        return [[name, curve.value], ...(curve.low ? [[`${name}, lower quartile`, curve.low], [`${name}, upper quartile`, curve.high]] : [])];
      });
      const rows = [["time (s)", ...columns.map(([name]) => name)], ...this.panel.x.map((time, at) => [time, ...columns.map(([, value]) => value[at])])];
      save(`${fileName(this.panel.id)}.csv`, csv(rows), "text/csv");
    }

    image() {
      const from = this.plot.ctx.canvas;
      const room = Math.round(26 * uPlot.pxRatio);
      const canvas = make("canvas", { width: from.width, height: from.height + room });
      const ctx = canvas.getContext("2d");
      ctx.fillStyle = colour("--ground");
      ctx.fillRect(0, 0, canvas.width, canvas.height);
      ctx.drawImage(from, 0, room);
      ctx.fillStyle = colour("--text");
      ctx.font = `600 ${13 * uPlot.pxRatio}px system-ui, sans-serif`;
      ctx.fillText(`${this.panel.title} (${this.panel.unit})`, 10 * uPlot.pxRatio, 17 * uPlot.pxRatio);
      canvas.toBlob((blob) => save(`${fileName(this.panel.id)}.png`, blob));
    }
  }

  // The legend: a button for each line; single flows of many are in a list that scrolls.
  const toggle = (line) => {
    visible[line] = !visible[line];
    for (const one of document.querySelectorAll(`[data-line="${line}"]`)) one.setAttribute("aria-pressed", String(visible[line]));
    drawn.forEach((one) => one.show(line));
  };
  const key = (line, at) => {
    const node = make("button", { type: "button", className: "key", onclick: () => toggle(at) }, make("i", { ariaHidden: "true" }), line.name);
    node.dataset.line = at;
    node.setAttribute("aria-pressed", String(visible[at]));
    node.style.setProperty("--ink", line.queue === undefined ? `var(--line-${line.colour % 7})` : `var(--queue-${line.queue % 3})`);
    for (const event of ["pointerenter", "focus"]) node.addEventListener(event, () => emphasise(at));
    for (const event of ["pointerleave", "blur"]) node.addEventListener(event, () => emphasise(null));
    return node;
  };
  const legend = document.getElementById("series-legend");
  legend.append(...lines.flatMap((line, at) => (line.single ? [] : [key(line, at)])));
  for (const panel of panels) {
    for (const marks of panel.marks) {
      const shape = make("span", { className: `sign ${marks.kind}` }, make("i", { ariaHidden: "true" }), `${marks.name} (${marks.count.toLocaleString("en")})`);
      legend.append(shape);
    }
  }
  const singles = lines.flatMap((line, at) => (line.single ? [at] : []));
  if (singles.length) {
    const all = (on) => singles.forEach((at) => { if (visible[at] !== on) toggle(at); });
    const list = make("div", { className: "keys many" }, ...singles.map((at) => key(lines[at], at)));
    legend.after(make("details", { className: "singles interactive" },
      make("summary", {}, `Show single flows (${singles.length})`),
      make("div", { className: "tools" }, button("All", "Show every flow", () => all(true)), button("None", "Hide every single flow", () => all(false))),
      list));
  }

  drawn = panels.map((panel) => new Holder(panel));
  const draw = (paper = false) => drawn.forEach((one) => one.draw(paper));
  draw();
  redrawn(draw);
  let width = frame.clientWidth;
  new ResizeObserver(() => {
    if (Math.abs(frame.clientWidth - width) > 1 && !document.documentElement.classList.contains("paper")) {
      width = frame.clientWidth;
      draw();
    }
  }).observe(frame);
  const phaseKey = () => {
    const found = phased[picker.value] ?? [];
    const names = [...new Set(found.map((one) => one[2]))].sort((a, b) => a - b);
    document.getElementById("phases-key").replaceChildren(...names.map((name) => {
      const shade = make("i", { ariaHidden: "true" });
      shade.style.background = `color-mix(in srgb, var(--phase-${name % 7}) 55%, transparent)`;
      return make("span", { className: "phase" }, shade, figure.phase_names[name]);
    }));
  };
  if (picker) {
    phaseKey();
    picker.addEventListener("change", () => { phaseKey(); drawn.forEach((one) => one.plot.redraw(false, false)); });
  }
  const ratios = button("Log scale", "Draw windows and goodput on an axis of ratios", () => {
    logarithmic = !logarithmic;
    ratios.setAttribute("aria-pressed", String(logarithmic));
    draw();
  });
  ratios.setAttribute("aria-pressed", "false");
  document.getElementById("zoom-tools")?.append(
    button("Zoom in", "Zoom in on the middle", () => scaleZoom(0.5)),
    button("Zoom out", "Zoom out", () => scaleZoom(2)),
    button("Whole run", "Show the whole run", () => setZoom(null)),
    ratios,
  );
})();
