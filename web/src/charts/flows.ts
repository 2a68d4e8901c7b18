import type { Counters, RunResult } from "../engine/contract";

/** A connection whose samples a run has. */
export interface SampledFlow {
  /** Index in the samples, and in the plan's flows. */
  readonly sampled: number;
  /** Index in `run.flows`. */
  readonly row: number;
  readonly name: string;
  readonly cc: string;
  readonly counters: Counters;
}

/** Most flows that are drawn one by one. */
export const MOST_DRAWN = 10;

export function text(counters: Counters, key: string): string {
  return String(counters[key] ?? "");
}

/** A counter that is a number; NaN if it is missing. */
export function number(counters: Counters, key: string): number {
  const value = counters[key];
  return typeof value === "number" ? value : Number.NaN;
}

/** Names of the aggregates: flows that several connections carry together. */
function aggregates(run: RunResult): ReadonlySet<string> {
  return new Set(run.flows.flatMap(({ part_of: whole }) => (whole ? [String(whole)] : [])));
}

/** The connections in the order of their samples: rows without aggregates and UDP streams. */
export function sampledFlows(run: RunResult): SampledFlow[] {
  const wholes = aggregates(run);
  return run.flows
    .map((counters, row) => ({ row, counters }))
    .filter(({ counters }) => {
      const isAggregate = !counters.part_of && wholes.has(text(counters, "name"));
      return !isAggregate && counters.cc !== "udp";
    })
    .map(({ row, counters }, sampled) => ({
      sampled,
      row,
      counters,
      name: text(counters, "name"),
      cc: text(counters, "cc"),
    }));
}

/** The flows to draw: of many, those that delivered most; in their own order. */
export function drawnFlows(run: RunResult): SampledFlow[] {
  const flows = sampledFlows(run);
  if (flows.length <= MOST_DRAWN) return flows;
  return [...flows]
    .sort((a, b) => number(b.counters, "goodput_bytes") - number(a.counters, "goodput_bytes"))
    .slice(0, MOST_DRAWN)
    .sort((a, b) => a.sampled - b.sampled);
}

/** The custom property with the colour of a drawn flow, by its place among those drawn. */
export function colourOf(place: number): string {
  return `--flow-${place % 10}`;
}
