import type { RunResult } from "../engine/contract";
import { number, type SampledFlow } from "./flows";
import { column, type Grid, type Points } from "./grid";

export interface Goodput {
  /** Length of the averaging intervals, s. */
  readonly width: number;
  /** Middle of each interval, s. */
  readonly times: number[];
  /** Goodput of each flow in each interval, Mbit/s. */
  readonly points: readonly Points[];
}

/** Length of the averaging intervals, s: about 150 of them, each of at least two base RTTs. */
function interval(flows: readonly SampledFlow[], end: number): number {
  const rtts = flows.map((flow) => number(flow.counters, "base_rtt")).filter(Number.isFinite);
  const least = Math.max(end / 150, 2 * Math.max(0, ...rtts));
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].find((it) => it * power >= least * (1 - 1e-9)) ?? 10;
  return Number((step * power).toPrecision(3));
}

/** Goodput over time by the rules of the report's chart. */
export function goodput(run: RunResult, flows: readonly SampledFlow[], samples: Grid): Goodput {
  const width = interval(flows, run.endTime);
  const count = Math.max(0, Math.floor(run.endTime / width + 1e-9));
  const times = Array.from({ length: count }, (_, index) => (index + 0.5) * width);
  const [time, delivered] = [
    column(run.tables.flow_samples, "time"),
    column(run.tables.flow_samples, "delivered"),
  ];
  const points = flows.map((flow): Points => {
    const rows = samples.rowsOf(flow.sampled);
    const [first, last] = [time[rows[0] ?? -1] ?? 0, time[rows.at(-1) ?? -1] ?? 0];
    let next = 0;
    const bytesUntil = (edge: number): number => {
      while (next < rows.length && (time[rows[next] ?? 0] ?? 0) <= edge) next += 1;
      return next === 0 ? 0 : (delivered[rows[next - 1] ?? 0] ?? 0);
    };
    let before = bytesUntil(0);
    return times.map((_, index) => {
      const [begin, end] = [index * width, (index + 1) * width];
      const bytes = bytesUntil(end);
      const rate = ((bytes - before) * 8) / width / 1e6;
      before = bytes;
      // A connection that is opened again counts from 0.
      return end > first && begin < last && rate >= 0 ? rate : null;
    });
  });
  return { width, times, points };
}
