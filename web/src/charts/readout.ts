import { element } from "../dom";
import type { Panel } from "./panels";

/** Index of the last time that is not after `at`. */
export function indexAt(times: readonly number[], at: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** A number with three digits that matter. */
export function rounded(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 100) return value.toFixed(0);
  return value.toFixed(size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

/** The values of a panel's solid lines at a time, in the colours of their flows. */
export function readout(panel: Panel, at: number, hidden: ReadonlySet<number>): HTMLElement[] {
  const index = indexAt(panel.times, at);
  return panel.lines
    .filter((line) => line.style === "solid" && !(line.flow !== null && hidden.has(line.flow)))
    .map((line) => {
      const value = line.points[index];
      const text = value === null || value === undefined ? "–" : rounded(value);
      const shown = element("span", { title: line.label }, text);
      shown.style.color = `var(${line.colour})`;
      return shown;
    });
}
