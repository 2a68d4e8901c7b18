import "uplot/dist/uPlot.min.css";
import "./charts.css";
import type uPlot from "uplot";
import { button, debounced, element, framed } from "../dom";
import type { RunResult } from "../engine/contract";
import type { Laboratory } from "../laboratory";
import { readPlan } from "../plan";
import { draw, RIGHT } from "./chart";
import { drawnFlows, MOST_DRAWN, type SampledFlow, sampledFlows } from "./flows";
import { LEFT } from "./frame";
import { grid } from "./grid";
import { legend } from "./legend";
import { type Panel, panels, type Subject } from "./panels";
import { flowPhases, type Phase, SHADES } from "./phases";
import { readout } from "./readout";
import { type Range, shifted, zoomed } from "./zoom";

const HEIGHT = 92;
const HEIGHT_WITH_TIMES = HEIGHT + 20;
/** Least time between two updates of the values beside the charts, ms. */
const READING_PAUSE = 80;

interface Shown {
  readonly panel: Panel;
  readonly plot: uPlot;
  readonly frame: HTMLElement;
  readonly values: HTMLElement;
}

/** The charts over time: aligned, with one cursor, one zoom, and a line at the time shown. */
export function mount(place: HTMLElement, laboratory: Laboratory): void {
  const keys = element("div", { class: "charts-keys" });
  const tools = element("div", { class: "charts-tools", role: "group", "aria-label": "Zoom" });
  const phaseKeys = element("p", { class: "charts-phases" });
  const nowLine = element("div", { class: "charts-now", "aria-hidden": "true" });
  const plots = element("div", { class: "charts-plots" }, nowLine);
  place.append(element("div", { class: "charts-head" }, keys, tools), phaseKeys, plots);

  const hidden = new Set<number>();
  let subject: Subject | null = null;
  let shown: Shown[] = [];
  let range: Range = [0, 1];
  let end = 1;
  let link = 0;
  let queueAsDelay = false;
  let phases: readonly Phase[] = [];
  let hovered: number | null = null;
  let drawnWidth = 0;

  const selected = (): SampledFlow | undefined =>
    subject?.flows.find((flow) => flow.row === laboratory.flow.get()) ?? subject?.flows[0];

  function readPhases(): void {
    const flow = selected();
    phases = subject && flow ? flowPhases(subject.run, flow, subject.flowSamples) : [];
    const names = [...new Set(phases.map(({ name }) => name))].filter((name) => SHADES[name]);
    phaseKeys.replaceChildren(
      ...(flow && names.length > 0 ? [`Phases of ${flow.name}:`] : []),
      ...names.map((name) => {
        const patch = element("i");
        patch.style.background = `var(${SHADES[name]})`;
        return element("span", {}, patch, name);
      }),
    );
  }

  /** Moves the line at the time shown; nothing else is drawn while it plays. */
  function moveNow(): void {
    const at = laboratory.now.get();
    nowLine.hidden = shown.length === 0 || at < range[0] || at > range[1];
    if (nowLine.hidden) return;
    const share = (at - range[0]) / (range[1] - range[0]);
    const left = LEFT + share * (drawnWidth - LEFT - RIGHT);
    nowLine.style.transform = `translateX(${left.toFixed(2)}px)`;
  }

  function read(): void {
    const at = hovered ?? laboratory.now.get();
    for (const { panel, values } of shown) {
      values.replaceChildren(...readout(panel, at, hidden));
    }
  }

  function redraw(): void {
    for (const { plot } of shown) plot.destroy();
    for (const { frame } of shown) frame.remove();
    shown = [];
    if (!subject) return;
    drawnWidth = Math.max(200, plots.clientWidth);
    const all = panels(subject);
    shown = all.map((panel, index) => {
      const values = element("span", { class: "charts-values" });
      const head = element(
        "figcaption",
        {},
        element("b", {}, panel.title),
        ` ${panel.unit}`,
        panel.hint && element("span", { class: "charts-hint" }, panel.hint),
        ...(panel.id === "queue" ? queueTools() : []),
        values,
      );
      const canvas = element("div", { class: "charts-plot" });
      const frame = element("figure", { id: `chart-${panel.id}` }, head, canvas);
      plots.append(frame);
      const hasTimes = index === all.length - 1;
      const plot = draw(canvas, {
        panel,
        width: drawnWidth,
        height: hasTimes ? HEIGHT_WITH_TIMES : HEIGHT,
        range: () => range,
        hasTimes,
        hidden,
        phases: () => phases,
        zoomed: (from, to) => zoom([from, to]),
        reset: () => zoom([0, end]),
      });
      canvas.setAttribute("role", "img");
      canvas.setAttribute("aria-label", `${panel.title} over time, ${panel.unit}`);
      follow(plot);
      return { panel, plot, frame, values };
    });
    moveNow();
    read();
  }

  /** Bottlenecks and other links with a rate, to choose from. */
  function queueTools(): HTMLElement[] {
    const links = subject?.plan.links ?? [];
    const withRate = links.flatMap((link, index) =>
      link.rate_bps && subject && subject.linkSamples.rowsOf(index).length > 0 ? [index] : [],
    );
    const choice = element(
      "select",
      { "aria-label": "Link of the queue" },
      ...withRate.map((index) =>
        element("option", { value: index, selected: index === link }, links[index]?.name ?? ""),
      ),
    );
    choice.addEventListener("change", () => {
      link = Number(choice.value);
      renew();
      plots.querySelector<HTMLElement>("#chart-queue select")?.focus();
    });
    const unit = button(
      queueAsDelay ? "in packets" : "as delay",
      () => {
        queueAsDelay = !queueAsDelay;
        renew();
        plots.querySelector<HTMLElement>("#chart-queue button")?.focus();
      },
      { class: "small" },
    );
    return [choice, unit];
  }

  function renew(): void {
    if (subject) subject = { ...subject, link, queueAsDelay };
    redraw();
  }

  function zoom(next: Range): void {
    const least = Math.max(1e-6, end / 1e6);
    range = next[1] - next[0] < least ? [next[0], next[0] + least] : next;
    for (const { plot } of shown) plot.setScale("x", { min: range[0], max: range[1] });
    moveNow();
    setTools();
  }

  const hover = framed(() => {
    read();
    if (hovered !== null && !laboratory.playing.get()) laboratory.now.set(hovered);
  });

  let pinned: number | null = null;

  function follow(plot: uPlot): void {
    plot.over.addEventListener("pointermove", (event) => {
      if (event.pointerType === "touch" || event.buttons !== 0) return;
      pinned ??= laboratory.now.get();
      hovered = timeAt(plot, event);
      hover();
    });
    plot.over.addEventListener("pointerleave", () => {
      if (hovered === null) return;
      hovered = null;
      if (pinned !== null && !laboratory.playing.get()) laboratory.now.set(pinned);
      pinned = null;
      read();
    });
    let pressed = 0;
    plot.over.addEventListener("pointerdown", (event) => {
      pressed = event.clientX;
    });
    plot.over.addEventListener("pointerup", (event) => {
      if (Math.abs(event.clientX - pressed) >= 4) return;
      pinned = timeAt(plot, event);
      laboratory.now.set(pinned);
    });
  }

  function timeAt(plot: uPlot, event: PointerEvent): number {
    const box = plot.over.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    return Math.max(0, Math.min(end, range[0] + share * (range[1] - range[0])));
  }

  function setTools(): void {
    const isWhole = range[0] <= 0 && range[1] >= end;
    for (const tool of tools.querySelectorAll("button")) {
      tool.disabled = isWhole && tool.dataset.zoom !== "in";
    }
  }

  const about = () => laboratory.now.get();
  tools.append(
    button("−", () => zoom(zoomed(range, 2, about(), end)), { "aria-label": "Zoom out" }),
    button("+", () => zoom(zoomed(range, 0.5, about(), end)), {
      "aria-label": "Zoom in at the time shown",
      "data-zoom": "in",
    }),
    button("←", () => zoom(shifted(range, -0.5, end)), { "aria-label": "Earlier" }),
    button("→", () => zoom(shifted(range, 0.5, end)), { "aria-label": "Later" }),
    button("All", () => zoom([0, end]), { "aria-label": "All of the run" }),
  );

  function setLegend(run: RunResult): void {
    const count = sampledFlows(run).length;
    const more = count - MOST_DRAWN;
    legend(keys, {
      flows: subject?.flows ?? [],
      hidden,
      selected: selected()?.row ?? 0,
      note: more > 0 ? `and ${more} connections that delivered less` : "",
      toggle(at) {
        if (hidden.has(at)) hidden.delete(at);
        else hidden.add(at);
        redraw();
        setLegend(run);
      },
      select: (row) => laboratory.flow.set(row),
    });
  }

  laboratory.run.watch((run) => {
    const resolved = laboratory.resolved.get();
    if (!run || !resolved) return;
    const flows = drawnFlows(run);
    const isOther =
      subject?.flows.map((flow) => flow.name).join() !== flows.map((flow) => flow.name).join();
    if (isOther) hidden.clear();
    const wasWhole = range[0] <= 0 && range[1] >= end;
    if (wasWhole || run.endTime !== end) range = [0, run.endTime];
    end = run.endTime;
    const plan = readPlan(resolved.plan);
    if (!plan.links[link]?.rate_bps) link = 0;
    subject = {
      run,
      plan,
      flows,
      flowSamples: grid(run.tables.flow_samples, "flow"),
      linkSamples: grid(run.tables.link_samples, "link"),
      link,
      queueAsDelay,
    };
    readPhases();
    setLegend(run);
    setTools();
    redraw();
  });

  laboratory.flow.watch(() => {
    const run = laboratory.run.get();
    if (!run || !subject) return;
    readPhases();
    setLegend(run);
    for (const { plot } of shown) plot.redraw(false);
  });

  let lastReading = 0;
  laboratory.now.watch(() => {
    moveNow();
    const time = performance.now();
    if (hovered !== null || time - lastReading < READING_PAUSE) return;
    lastReading = time;
    read();
  });
  laboratory.playing.watch(() => read());

  const resized = debounced(60, () => {
    const width = Math.max(200, plots.clientWidth);
    if (width === drawnWidth) return;
    drawnWidth = width;
    for (const { plot } of shown) plot.setSize({ width, height: plot.height });
    moveNow();
  });
  new ResizeObserver(resized).observe(plots);
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
    matchMedia(query).addEventListener("change", redraw);
  }
}
