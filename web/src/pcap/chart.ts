import uPlot from "uplot";
import { axes, cursor, styleValue, zooming } from "../charts/frame";
import { NEEDLESS, STYLES, type Style } from "./kinds";
import type { Line, Panel } from "./panels";

const MARK = 3.5;

export interface Drawing {
  readonly panel: Panel;
  readonly width: number;
  readonly hasTimes: boolean;
  /** Part of the capture that is shown, s. */
  readonly range: () => readonly [number, number];
  readonly zoomed: (from: number, to: number) => void;
  readonly reset: () => void;
  readonly hovered: (time: number | null) => void;
}

/** Draws points, one for each place on the screen that has any. */
const dots: uPlot.Series.PathBuilder = (plot, place, first, last) => {
  const { ctx, bbox } = plot;
  const times = plot.data[0];
  const values = plot.data[place] ?? [];
  const size = Math.max(1, Math.round(1.5 * devicePixelRatio));
  const seen = new Set<number>();
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  const stroke = plot.series[place]?.stroke;
  ctx.fillStyle = typeof stroke === "function" ? String(stroke(plot, place)) : String(stroke);
  for (let row = first; row <= last; row += 1) {
    const value = values[row];
    if (value === null || value === undefined || Number.isNaN(value)) continue;
    const x = Math.round(plot.valToPos(times[row] ?? 0, "x", true));
    const y = Math.round(plot.valToPos(value, "y", true));
    const key = x * 65536 + y;
    if (seen.has(key)) continue;
    seen.add(key);
    ctx.fillRect(x - size / 2, y - size / 2, size, size);
  }
  ctx.restore();
  return null;
};

function series(line: Line): uPlot.Series {
  const common = { label: line.label, stroke: styleValue(line.colour), points: { show: false } };
  switch (line.style) {
    case "dots":
      return { ...common, paths: dots };
    case "steps":
      return { ...common, width: 1.2, spanGaps: true, paths: stepped };
    case "dashed":
      return { ...common, width: 1, dash: [4, 3], spanGaps: true, paths: stepped };
    case "line":
      return { ...common, width: 1.2, spanGaps: true };
  }
}

const stepped = uPlot.paths.stepped?.({ align: 1 }) ?? (() => null);

function shape(ctx: CanvasRenderingContext2D, x: number, y: number, style: Style): void {
  const size = MARK * devicePixelRatio;
  ctx.beginPath();
  switch (style.shape) {
    case "square":
      ctx.rect(x - size, y - size, 2 * size, 2 * size);
      break;
    case "triangle":
      ctx.moveTo(x, y - 1.2 * size);
      ctx.lineTo(x + 1.1 * size, y + size);
      ctx.lineTo(x - 1.1 * size, y + size);
      ctx.closePath();
      break;
    case "diamond":
      ctx.moveTo(x, y - 1.3 * size);
      ctx.lineTo(x + 1.3 * size, y);
      ctx.lineTo(x, y + 1.3 * size);
      ctx.lineTo(x - 1.3 * size, y);
      ctx.closePath();
      break;
    default:
      ctx.arc(x, y, size, 0, 2 * Math.PI);
  }
  if (style.shape === "hollow") ctx.stroke();
  else ctx.fill();
}

function drawMarks(plot: uPlot, { marks }: Panel): void {
  const { ctx, bbox } = plot;
  const [from, to] = [plot.scales.x?.min ?? 0, plot.scales.x?.max ?? 0];
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.lineWidth = 1.5 * devicePixelRatio;
  const colours = STYLES.map(({ colour }) => styleValue(colour));
  const needless = styleValue(NEEDLESS.colour);
  const seen = new Set<string>();
  for (const mark of marks) {
    if (mark.time < from || mark.time > to) continue;
    const style = STYLES[mark.style];
    if (!style) continue;
    const x = Math.round(plot.valToPos(mark.time, "x", true));
    const y = Math.round(plot.valToPos(mark.value, "y", true));
    const key = `${x} ${y} ${mark.style} ${mark.isNeedless}`;
    if (seen.has(key)) continue;
    seen.add(key);
    ctx.fillStyle = colours[mark.style] ?? "";
    ctx.strokeStyle = colours[mark.style] ?? "";
    shape(ctx, x, y, style);
    if (mark.isNeedless) {
      ctx.strokeStyle = needless;
      ctx.beginPath();
      ctx.arc(x, y, 2 * MARK * devicePixelRatio, 0, 2 * Math.PI);
      ctx.stroke();
    }
  }
  ctx.restore();
}

/** Least and largest value of the lines in a part of the times. */
function extent(panel: Panel, [from, to]: readonly [number, number]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = 0; row < panel.times.length; row += 1) {
    const time = panel.times[row] ?? 0;
    if (time < from || time > to) continue;
    for (const { values } of panel.lines) {
      const value = values[row] ?? Number.NaN;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  if (!(high >= low)) return [0, 1];
  // Sequence numbers are looked at closely; of all others zero is a part of the picture.
  const base = panel.id === "sequence" ? low : 0;
  const span = high - base || 1;
  return [panel.id === "sequence" ? Math.max(0, base - 0.03 * span) : 0, high + 0.05 * span];
}

/** A chart of a capture. */
export function draw(place: HTMLElement, drawing: Drawing): uPlot {
  const { panel } = drawing;
  const options: uPlot.Options = {
    width: drawing.width,
    height: panel.height + (drawing.hasTimes ? 20 : 0),
    padding: [6, 8, 4, 0],
    legend: { show: false },
    scales: {
      x: { time: false, range: () => [...drawing.range()] },
      y: { range: () => extent(panel, drawing.range()) },
    },
    axes: axes(drawing.hasTimes),
    series: [{}, ...panel.lines.map(series)],
    cursor: cursor("capture", 0, drawing.reset),
    hooks: {
      draw: [(plot) => drawMarks(plot, panel)],
      setCursor: [
        (plot) => {
          const left = plot.cursor.left ?? -1;
          drawing.hovered(left < 0 ? null : plot.posToVal(left, "x"));
        },
      ],
      setSelect: [zooming(drawing.zoomed)],
    },
  };
  const data = [panel.times, ...panel.lines.map(({ values }) => values)];
  return new uPlot(options, data as unknown as uPlot.AlignedData, place);
}
