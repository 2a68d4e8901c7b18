import type uPlot from "uplot";
import { type Range, shifted, zoomed } from "../charts/zoom";
import { button, debounced, element, framed } from "../dom";
import { draw } from "./chart";
import type { Capture } from "./contract";
import { NEEDLESS, STYLES } from "./kinds";
import { column, type Panel, panels } from "./panels";
import { lastUpTo } from "./search";
import { digits, quantity, time } from "./words";

/** The charts of a capture, aligned, with one zoom and a line that describes the segment hovered. */
export class Pictures {
  readonly #place: HTMLElement;
  readonly #readout = element("p", { class: "capture-readout", "aria-live": "off" });
  #plots: uPlot[] = [];
  #capture: Capture | null = null;
  #range: Range = [0, 1];
  #end = 1;

  constructor(place: HTMLElement) {
    this.#place = place;
    const again = debounced(120, () => this.#draw());
    new ResizeObserver(again).observe(place);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  }

  show(capture: Capture): void {
    this.#capture = capture;
    this.#end = Math.max(capture.figures.duration, 1e-6);
    this.#range = [0, this.#end];
    this.#draw();
  }

  clear(): void {
    this.#capture = null;
    for (const plot of this.#plots) plot.destroy();
    this.#plots = [];
    this.#place.replaceChildren();
  }

  #zoom(next: Range): void {
    const least = this.#end / 1e7;
    this.#range = next[1] - next[0] < least ? [next[0], next[0] + least] : next;
    for (const plot of this.#plots) {
      plot.setScale("x", { min: this.#range[0], max: this.#range[1] });
    }
    this.#read(null);
  }

  #tools(): HTMLElement {
    const middle = () => (this.#range[0] + this.#range[1]) / 2;
    const tool = (text: string, label: string, act: () => Range) =>
      button(text, () => this.#zoom(act()), {
        class: "small",
        "aria-label": label,
        title: label,
      });
    return element(
      "div",
      { class: "capture-tools", role: "group", "aria-label": "Zoom of the capture" },
      tool("◀", "Earlier", () => shifted(this.#range, -0.5, this.#end)),
      tool("▶", "Later", () => shifted(this.#range, 0.5, this.#end)),
      tool("+", "Zoom in", () => zoomed(this.#range, 0.5, middle(), this.#end)),
      tool("−", "Zoom out", () => zoomed(this.#range, 2, middle(), this.#end)),
      tool("All", "All of the capture", () => [0, this.#end]),
    );
  }

  #draw(): void {
    const capture = this.#capture;
    if (!capture) return;
    for (const plot of this.#plots) plot.destroy();
    const hover = framed((at: number | null) => this.#read(at));
    const all = panels(capture);
    const frames = all.map((panel) => {
      const canvas = element("div", {
        role: "img",
        "aria-label": `${panel.title}, ${panel.unit}`,
      });
      const frame = element(
        "figure",
        { id: `capture-${panel.id}` },
        element("figcaption", {}, element("b", {}, panel.title), ` ${panel.unit}`, legend(panel)),
        canvas,
      );
      return { panel, canvas, frame };
    });
    this.#place.replaceChildren(
      element("div", { class: "capture-head" }, this.#readout, this.#tools()),
      ...frames.map(({ frame }) => frame),
    );
    const width = Math.max(200, this.#place.clientWidth);
    this.#plots = frames.map(({ panel, canvas }, index) =>
      draw(canvas, {
        panel,
        width,
        hasTimes: index === all.length - 1,
        range: () => this.#range,
        zoomed: (from, to) => this.#zoom([from, to]),
        reset: () => this.#zoom([0, this.#end]),
        hovered: hover,
      }),
    );
    this.#read(null);
  }

  /** Describes the last segment up to a time. */
  #read(at: number | null): void {
    const capture = this.#capture;
    if (!capture) return;
    if (at === null) {
      const [from, to] = this.#range;
      this.#readout.textContent = `${digits(from)} to ${digits(to)} s. Drag to look closer.`;
      return;
    }
    const times = column(capture, "time");
    const row = lastUpTo(times, at);
    this.#readout.textContent = row < 0 ? "" : segment(capture, row);
  }
}

function legend(panel: Panel): HTMLElement {
  const keys = panel.lines.map(({ label, colour, style }) => {
    const patch = element("i", { class: `capture-key capture-key-${style}` });
    patch.style.setProperty("--key", `var(${colour})`);
    return element("span", {}, patch, label);
  });
  const present = new Set(panel.marks.map(({ style }) => style));
  STYLES.forEach(({ label, colour, shape }, index) => {
    if (!present.has(index)) return;
    const patch = element("i", { class: `capture-key capture-mark-${shape}` });
    patch.style.setProperty("--key", `var(${colour})`);
    keys.push(element("span", {}, patch, label));
  });
  if (panel.marks.some(({ isNeedless }) => isNeedless)) {
    const patch = element("i", { class: "capture-key capture-mark-hollow" });
    patch.style.setProperty("--key", `var(${NEEDLESS.colour})`);
    keys.push(element("span", {}, patch, NEEDLESS.label));
  }
  return element("span", { class: "capture-keys" }, ...keys);
}

/** A segment in words. */
export function segment(capture: Capture, row: number): string {
  const of = (name: string) => column(capture, name)[row] ?? Number.NaN;
  const kinds = capture.segments.columns.kind;
  const spurious = capture.segments.columns.spurious;
  const kind = kinds?.names[kinds.values[row] ?? 0] ?? "";
  const needless = spurious?.names[spurious.values[row] ?? 0];
  const parts = [`${of("time").toFixed(6)} s, frame ${of("frame")}`, kind];
  if (needless) parts.push(`needless (${needless})`);
  if (of("is_data") === 1 && of("length") > 0) {
    parts.push(`${of("length")} bytes at ${of("seq")}`);
  } else {
    parts.push(`ACK ${of("ack")}, window ${quantity(of("window"), "bytes")}`);
  }
  if (Number.isFinite(of("inflight")))
    parts.push(`inflight ${quantity(of("inflight"), "bytes")}`);
  if (Number.isFinite(of("ack_rtt"))) parts.push(`RTT ${time(of("ack_rtt"))}`);
  return parts.join(" · ");
}
