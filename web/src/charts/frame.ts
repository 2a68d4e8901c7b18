import type uPlot from "uplot";

/** Width of the axis of values; it is the same in all charts, so that their times are aligned. */
export const LEFT = 52;

/** Reads a custom property of the page's style. */
export function styleValue(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Digits after the point that a step of an axis needs. */
function digitsOf(step: number): number {
  for (let digits = 0; digits < 9; digits += 1) {
    const scaled = step * 10 ** digits;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return digits;
  }
  return 9;
}

/** Labels of an axis: short, and all with the same number of digits. */
export function labels(splits: readonly number[]): string[] {
  const digits = digitsOf(Math.abs((splits[1] ?? 1) - (splits[0] ?? 0)) || 1);
  return splits.map((value) =>
    Math.abs(value) >= 1e6 ? `${value / 1e6}M` : value.toFixed(digits),
  );
}

/** The axes of a chart: times, which only the lowest chart of a column shows, and values. */
export function axes(hasTimes: boolean): uPlot.Axis[] {
  const axis: uPlot.Axis = {
    stroke: styleValue("--quiet"),
    grid: { stroke: styleValue("--grid"), width: 1 },
    ticks: { show: false },
    font: "11px system-ui, sans-serif",
  };
  return [
    {
      ...axis,
      size: hasTimes ? 22 : 4,
      gap: 4,
      values: (_, splits) => (hasTimes ? labels(splits).map((text) => `${text} s`) : []),
    },
    { ...axis, size: LEFT, gap: 6, space: 28, values: (_, splits) => labels(splits) },
  ];
}

/** Narrowest selection that is no click, px. */
const LEAST_SELECTION = 4;

/** A selection with the mouse shows that part of the time. */
export function zooming(zoomed: (from: number, to: number) => void): (plot: uPlot) => void {
  return (plot) => {
    const { left, width } = plot.select;
    if (width < LEAST_SELECTION) return;
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    zoomed(plot.posToVal(left, "x"), plot.posToVal(left + width, "x"));
  };
}

/** Cursor of the charts that share `key`: it selects a time, and a double click shows all. */
export function cursor(key: string, pointSize: number, reset: () => void): uPlot.Cursor {
  return {
    y: false,
    points: pointSize > 0 ? { size: pointSize } : { show: false },
    drag: { x: true, y: false, setScale: false },
    sync: { key, setSeries: false, scales: ["x", null] },
    bind: {
      dblclick: () => () => {
        reset();
        return null;
      },
    },
  };
}
