/**
 * Phases of a flow over time, by the rules and names of `ackclock.plot_data.phases`: slow start,
 * recovery, timeout, and the modes of BBR.
 */

import type { RunResult } from "../engine/contract";
import { ALGORITHMS, type Algorithm } from "../traits";
import type { SampledFlow } from "./flows";
import { column, type Grid } from "./grid";

export interface Phase {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

const SLOW_START = "slow start";
const AVOIDANCE = "congestion avoidance";
const PROBE_BW = "PROBE_BW";

/** Phases of a sender's state; in open and disorder, the algorithm has its say. */
const STATES: Readonly<Record<string, string>> = {
  recovery: "fast recovery",
  cwr: "ECN reduction",
  loss: "timeout",
};

/** Internals that tell the phase, but for that which an algorithm's traits name. */
const USED = ["slow_start", "starting", "pacing_gain"];

type Name = string | null;

/** Phases of one flow in order of time, PROBE_BW split into its parts. */
export function flowPhases(run: RunResult, flow: SampledFlow, samples: Grid): Phase[] {
  const table = run.tables.flow_samples;
  const rows = samples.rowsOf(flow.sampled);
  if (rows.length === 0) return [];
  const time = column(table, "time");
  const cwnd = column(table, "cwnd");
  const state = column(table, "state");
  const stateNames = table.columns.state?.names ?? [];
  const times = rows.map((row) => time[row] ?? 0);
  const names = ofAlgorithm(run, flow, rows, times);
  const algorithm = algorithmOf(flow.cc);
  const isModal = algorithm?.phases?.names.some((name) => whole(name) === whole(names[0] ?? ""));
  rows.forEach((row, index) => {
    const name = STATES[stateNames[state[row] ?? 0] ?? ""];
    // BBR keeps its mode in recovery. Tahoe's duplicate ACKs lead to slow start in state Loss.
    const isOwn = algorithm?.slowStartsAfterLoss || (isModal && name !== "timeout");
    if (name && !isOwn) names[index] = name;
    if (Number.isNaN(cwnd[row] ?? Number.NaN)) names[index] = null;
  });
  return intervals(times, names, run.endTime);
}

/** The avoidance or whole controller of a spec, if the core lists it. */
function algorithmOf(cc: string): Algorithm | undefined {
  return ALGORITHMS[cc.split("+").at(-1)?.split("(")[0] ?? ""];
}

/** Name of a phase without its part. */
function whole(name: string): string {
  return name.split(" ")[0] ?? "";
}

function ofAlgorithm(
  run: RunResult,
  { cc, sampled }: SampledFlow,
  rows: readonly number[],
  times: readonly number[],
): Name[] {
  const algorithm = algorithmOf(cc);
  const values = internals(run, sampled, times, algorithm?.phases?.internal);
  const codes = algorithm?.phases && values.get(algorithm.phases.internal);
  if (codes) {
    const gain = values.get("pacing_gain");
    return codes.map((code, index) => {
      const name = algorithm.phases?.names[code] ?? null;
      const now = gain?.[index] ?? Number.NaN;
      if (name !== PROBE_BW || Number.isNaN(now)) return name;
      return `${PROBE_BW} ${now > 1 ? "up" : now < 1 ? "down" : "cruise"}`;
    });
  }
  const isSlow = values.get("slow_start") ?? values.get("starting");
  if (isSlow) return isSlow.map((flag) => (flag === 1 ? SLOW_START : AVOIDANCE));
  if (algorithm?.isWhole) return times.map(() => null);
  const cwnd = column(run.tables.flow_samples, "cwnd");
  const ssthresh = column(run.tables.flow_samples, "ssthresh");
  return rows.map((row) => {
    const threshold = ssthresh[row] ?? Number.NaN;
    const isBelow = Number.isNaN(threshold) || (cwnd[row] ?? 0) < threshold;
    return isBelow ? SLOW_START : AVOIDANCE;
  });
}

/** Latest value of each used internal at each sample of a flow; NaN before the first. */
function internals(
  run: RunResult,
  flow: number,
  times: readonly number[],
  own: string | undefined,
): Map<string, readonly number[]> {
  const table = run.tables.internals;
  const [time, flows] = [column(table, "time"), column(table, "flow")];
  const [codes, values] = [column(table, "name"), column(table, "value")];
  const wanted = new Map<number, string>();
  run.internalNames.forEach((name, code) => {
    if (name === own || USED.includes(name)) wanted.set(code, name);
  });
  const series = new Map<string, { times: number[]; values: number[] }>();
  for (let row = 0; row < table.rows; row += 1) {
    const name = flows[row] === flow ? wanted.get(codes[row] ?? -1) : undefined;
    if (name === undefined) continue;
    let steps = series.get(name);
    if (!steps) {
      steps = { times: [], values: [] };
      series.set(name, steps);
    }
    steps.times.push(time[row] ?? 0);
    steps.values.push(values[row] ?? Number.NaN);
  }
  const latest = new Map<string, readonly number[]>();
  for (const [name, steps] of series) {
    let next = 0;
    latest.set(
      name,
      times.map((at) => {
        while (next < steps.times.length && (steps.times[next] ?? 0) <= at) next += 1;
        return steps.values[next - 1] ?? Number.NaN;
      }),
    );
  }
  return latest;
}

/** Joins equal neighbours; a sample's phase holds until the next sample. */
function intervals(times: readonly number[], names: readonly Name[], end: number): Phase[] {
  const phases: Phase[] = [];
  times.forEach((start, index) => {
    const name = names[index];
    const stop = times[index + 1] ?? Math.max(end, start);
    if (!name || stop <= start) return;
    const last = phases.at(-1);
    if (last && last.name === name && last.end === start) {
      phases[phases.length - 1] = { ...last, end: stop };
    } else phases.push({ start, end: stop, name });
  });
  return phases;
}

/** Custom properties with the shades of phases; the phases left out stay without one. */
export const SHADES: Readonly<Record<string, string>> = {
  [SLOW_START]: "--phase-start",
  "fast recovery": "--phase-recovery",
  "ECN reduction": "--phase-reduction",
  timeout: "--phase-timeout",
  STARTUP: "--phase-start",
  DRAIN: "--phase-recovery",
  PROBE_RTT: "--phase-probe-rtt",
  "PROBE_BW up": "--phase-up",
  "PROBE_BW refill": "--phase-up",
  "PROBE_BW down": "--phase-reduction",
};
