import uPlot from "uplot";
import { axes, cursor, styleValue, zooming } from "./frame";
import type { Line, Panel } from "./panels";
import { type Phase, SHADES } from "./phases";
import { indexAt } from "./readout";

/** Space at the right, for the last time of the axis. */
export const RIGHT = 16;
const TICK = 7;

export interface Drawing {
  readonly panel: Panel;
  readonly width: number;
  readonly height: number;
  /** Part of the run that is shown, s. */
  readonly range: () => readonly [number, number];
  readonly hasTimes: boolean;
  /** Places of the flows that are hidden. */
  readonly hidden: ReadonlySet<number>;
  readonly phases: () => readonly Phase[];
  readonly zoomed: (from: number, to: number) => void;
  readonly reset: () => void;
}

const DASHES: Readonly<Record<Line["style"], number[]>> = { solid: [], dashed: [4, 3], pale: [] };

function series(line: Line, hidden: ReadonlySet<number>): uPlot.Series {
  return {
    label: line.label,
    stroke: styleValue(line.colour),
    width: line.style === "solid" ? 1.5 : 1,
    dash: DASHES[line.style],
    points: { show: false },
    show: line.flow === null || !hidden.has(line.flow),
  };
}

function shadePhases(plot: uPlot, phases: readonly Phase[]): void {
  const { ctx, bbox } = plot;
  const right = bbox.left + bbox.width;
  ctx.save();
  for (const { start, end, name } of phases) {
    const shade = SHADES[name];
    if (!shade) continue;
    const from = Math.max(bbox.left, plot.valToPos(start, "x", true));
    const to = Math.min(right, plot.valToPos(end, "x", true));
    if (to <= from) continue;
    ctx.fillStyle = styleValue(shade);
    ctx.fillRect(from, bbox.top, Math.max(1, to - from), bbox.height);
  }
  ctx.restore();
}

/** Drops as ticks that hang from the upper edge; marks as ticks that stand on the lower one. */
function drawTicks(plot: uPlot, { ticks }: Panel): void {
  const { ctx, bbox } = plot;
  const length = TICK * devicePixelRatio;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  for (const kind of ["drop", "mark"] as const) {
    ctx.strokeStyle = styleValue(`--${kind}`);
    ctx.beginPath();
    for (const tick of ticks) {
      if (tick.kind !== kind) continue;
      const x = Math.round(plot.valToPos(tick.time, "x", true));
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      const top = kind === "drop" ? bbox.top : bbox.top + bbox.height - length;
      ctx.moveTo(x, top);
      ctx.lineTo(x, top + length);
    }
    ctx.stroke();
  }
  ctx.restore();
}

/** Guides that are higher than the lines by more than this factor do not make the lines small. */
const MOST_OF_GUIDES = 1.6;

function highest(points: Line["points"], from: number, to: number): number {
  let most = 0;
  for (let at = from; at <= to; at += 1) most = Math.max(most, points[at] ?? 0);
  return most;
}

/** The upper end of the values' axis: that of the solid lines, and of the others if it is near. */
function upperEnd({ panel, hidden, range }: Drawing): number {
  const [first, last] = range();
  const from = Math.max(0, indexAt(panel.times, first));
  const to = Math.min(panel.times.length - 1, indexAt(panel.times, last) + 1);
  const lines = panel.lines.filter(({ flow }) => flow === null || !hidden.has(flow));
  const mostOf = (isSolid: boolean) =>
    lines
      .filter(({ style }) => (style === "solid") === isSolid)
      .map(({ points }) => highest(points, from, to));
  const most = Math.max(0, ...mostOf(true));
  const near = mostOf(false).filter((value) => value <= most * MOST_OF_GUIDES || most === 0);
  return Math.max(most, ...near);
}

/** A chart of a panel; its title and values stand outside of it. */
export function draw(place: HTMLElement, drawing: Drawing): uPlot {
  const { panel } = drawing;
  // Ticks of drops hang above the line.
  const room = panel.ticks.length > 0 ? 1.2 : 1.04;
  const options: uPlot.Options = {
    width: drawing.width,
    height: drawing.height,
    padding: [6, RIGHT, 4, 0],
    legend: { show: false },
    scales: {
      x: { time: false, range: () => [...drawing.range()] },
      y: { range: () => [0, upperEnd(drawing) * room || 1] },
    },
    axes: axes(drawing.hasTimes),
    series: [{}, ...panel.lines.map((line) => series(line, drawing.hidden))],
    cursor: cursor("time", 5, drawing.reset),
    hooks: {
      drawClear: [(plot) => shadePhases(plot, drawing.phases())],
      draw: [(plot) => drawTicks(plot, panel)],
      setSelect: [zooming(drawing.zoomed)],
    },
  };
  const data = [panel.times, ...panel.lines.map((line) => line.points)];
  return new uPlot(options, data as uPlot.AlignedData, place);
}
