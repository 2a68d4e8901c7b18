import type { RunResult } from "../engine/contract";
import {
  delayShiftSteps,
  type FlowPlan,
  type LinkPlan,
  limitSteps,
  type Plan,
  rateSteps,
  type Steps,
  valueAt,
} from "../plan";
import { colourOf, number, type SampledFlow } from "./flows";
import { goodput } from "./goodput";
import { column, type Grid, type Points } from "./grid";

/** A line of a chart. */
export interface Line {
  readonly label: string;
  /** Place of its flow among those drawn; null: it belongs to none. */
  readonly flow: number | null;
  readonly colour: string;
  readonly style: "solid" | "dashed" | "pale";
  readonly points: Points;
}

/** A moment at which packets were dropped or marked. */
export interface Tick {
  readonly time: number;
  readonly count: number;
  readonly kind: "drop" | "mark";
}

/** A chart over time. */
export interface Panel {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  /** Meaning of the lines that are not solid. */
  readonly hint: string;
  readonly times: number[];
  readonly lines: readonly Line[];
  readonly ticks: readonly Tick[];
}

export interface Subject {
  readonly run: RunResult;
  readonly plan: Plan;
  readonly flows: readonly SampledFlow[];
  readonly flowSamples: Grid;
  readonly linkSamples: Grid;
  /** Index of the link whose queue is shown. */
  readonly link: number;
  /** Whether the queue is shown as a delay. */
  readonly queueAsDelay: boolean;
}

const BITS = 8;
const MEGA = 1e6;
const MILLI = 1e3;

function flowPlan({ plan }: Subject, flow: SampledFlow): FlowPlan | undefined {
  return plan.flows[flow.sampled];
}

function mss(subject: Subject, flow: SampledFlow): number {
  return flowPlan(subject, flow)?.transport.mss ?? 1448;
}

/** Steps as points on times; values that are not finite are gaps. */
function stepPoints(times: readonly number[], steps: Steps, scale = 1): Points {
  return times.map((time) => {
    const value = valueAt(steps, time) * scale;
    return Number.isFinite(value) ? value : null;
  });
}

function perFlow(
  subject: Subject,
  style: Line["style"],
  points: (flow: SampledFlow) => Points,
  label = "",
): Line[] {
  return subject.flows.map((flow, place) => ({
    label: `${flow.name}${label}`,
    flow: place,
    colour: colourOf(place),
    style,
    points: points(flow),
  }));
}

/** A guide for each flow, or one grey guide if all flows have the same. */
function guides(subject: Subject, label: string, points: (flow: SampledFlow) => Points): Line[] {
  const lines = perFlow(subject, "dashed", points, ` ${label}`);
  const first = lines[0];
  const texts = new Set(lines.map((line) => line.points.find((value) => value !== null)));
  if (!first || texts.size > 1) return lines;
  return [{ ...first, label, flow: null, colour: "--quiet" }];
}

/** Links of a flow's path, there and back. */
function pathLinks(subject: Subject, flow: SampledFlow): LinkPlan[] {
  const own = flowPlan(subject, flow);
  const indices = own ? [...own.path, ...own.reverse_path] : [];
  return indices.flatMap((index) => subject.plan.links[index] ?? []);
}

/** Propagation round trip of a flow's path over time, s. */
function baseRtt(subject: Subject, flow: SampledFlow): (time: number) => number {
  const base = number(flow.counters, "base_rtt");
  const shifts = pathLinks(subject, flow)
    .map((link) => delayShiftSteps(link, subject.run.endTime))
    .filter((steps) => steps.length > 0);
  return (time) => shifts.reduce((sum, steps) => sum + valueAt(steps, time, 0), base);
}

/** Lowest rate of a flow's path over time, bit/s. */
function pathRate(subject: Subject, flow: SampledFlow): (time: number) => number {
  const own = flowPlan(subject, flow);
  const rates = (own?.path ?? [])
    .flatMap((index) => subject.plan.links[index] ?? [])
    .map((link) => rateSteps(link, subject.run.endTime))
    .filter((steps) => steps.length > 0);
  return (time) => Math.min(...rates.map((steps) => valueAt(steps, time)));
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function ofFlows(
  subject: Subject,
  panel: Omit<Panel, "times" | "ticks">,
  times = subject.flowSamples.times,
): Panel {
  return { ...panel, times, ticks: [] };
}

function queue(subject: Subject): Panel {
  const { linkSamples, link, plan, run } = subject;
  const planned = plan.links[link];
  const { times } = linkSamples;
  const asDelay = subject.queueAsDelay;
  const lines: Line[] = [
    {
      label: "queue",
      flow: null,
      colour: "--ink",
      style: "solid",
      points: asDelay
        ? linkSamples.points(link, "queue_delay", MILLI)
        : linkSamples.points(link, "queue_packets"),
    },
  ];
  const limit = planned ? limitPoints(planned, times, asDelay, run.endTime) : null;
  if (limit) {
    lines.push({ label: "limit", flow: null, colour: "--quiet", style: "dashed", points: limit });
  }
  if (!asDelay) {
    const average = linkSamples.points(link, "red_average");
    if (average.some((value) => value !== null)) {
      lines.push({
        label: "RED's average",
        flow: null,
        colour: "--accent",
        style: "pale",
        points: average,
      });
    }
  }
  const rows = linkSamples.rowsOf(link);
  return {
    id: "queue",
    title: asDelay ? "Queueing delay" : "Queue",
    unit: asDelay ? "ms" : "packets",
    hint: limit ? "dashed: limit" : "",
    times,
    lines,
    ticks: [...ticks(run, rows, "dropped", "drop"), ...ticks(run, rows, "marked", "mark")],
  };
}

const FULL_PACKET = 1500;

/** The limit of a link's queue in the unit that is shown, if it can be said in it. */
function limitPoints(
  link: LinkPlan,
  times: readonly number[],
  asDelay: boolean,
  end: number,
): Points | null {
  const packets = limitSteps(link, "limit_packets");
  const bytes = limitSteps(link, "limit_bytes");
  const steps = packets ?? bytes;
  if (!steps) return null;
  const size = packets ? FULL_PACKET : 1;
  if (!asDelay) return stepPoints(times, steps, size / FULL_PACKET);
  const rates = rateSteps(link, end);
  return times.map((time) =>
    finite(((valueAt(steps, time) * size * BITS) / valueAt(rates, time)) * MILLI),
  );
}

/** Moments at which a counter of a link grew. */
function ticks(
  run: RunResult,
  rows: readonly number[],
  name: string,
  kind: Tick["kind"],
): Tick[] {
  const table = run.tables.link_samples;
  const [time, counter] = [column(table, "time"), column(table, name)];
  const ticks: Tick[] = [];
  let before = 0;
  for (const row of rows) {
    const value = counter[row] ?? 0;
    if (value > before) ticks.push({ time: time[row] ?? 0, count: value - before, kind });
    before = value;
  }
  return ticks;
}

/** All charts of a run, in the order of the page. */
export function panels(subject: Subject): Panel[] {
  const { flowSamples, run } = subject;
  const flowPoints = (name: string, scale: (flow: SampledFlow) => number) => {
    return (flow: SampledFlow) => flowSamples.points(flow.sampled, name, scale(flow));
  };
  const inPackets = (flow: SampledFlow) => 1 / mss(subject, flow);
  const rates = goodput(run, subject.flows, flowSamples);
  return [
    ofFlows(subject, {
      id: "cwnd",
      title: "Window",
      unit: "packets",
      hint: "solid: cwnd, dashed: ssthresh",
      lines: [
        ...perFlow(subject, "dashed", flowPoints("ssthresh", inPackets), " ssthresh"),
        ...perFlow(subject, "solid", flowPoints("cwnd", inPackets)),
      ],
    }),
    ofFlows(subject, {
      id: "inflight",
      title: "Inflight",
      unit: "packets",
      hint: "dashed: BDP",
      lines: [
        ...guides(subject, "BDP", (flow) => {
          const [rtt, rate] = [baseRtt(subject, flow), pathRate(subject, flow)];
          const own = flowPlan(subject, flow)?.transport;
          const size = mss(subject, flow) + (own?.header_bytes ?? 0);
          return flowSamples.times.map((time) => finite((rtt(time) * rate(time)) / BITS / size));
        }),
        ...perFlow(subject, "solid", flowPoints("inflight", inPackets)),
      ],
    }),
    ofFlows(subject, {
      id: "rate",
      title: "Rate",
      unit: "Mbit/s",
      hint: "solid: delivery rate, dashed: pacing rate",
      lines: [
        ...perFlow(
          subject,
          "dashed",
          flowPoints("pacing_rate", () => 1 / MEGA),
          " pacing",
        ),
        ...perFlow(
          subject,
          "solid",
          flowPoints("delivery_rate", () => 1 / MEGA),
        ),
      ],
    }),
    ofFlows(subject, {
      id: "rtt",
      title: "RTT",
      unit: "ms",
      hint: "dashed: floor",
      lines: [
        ...guides(subject, "floor", (flow) => {
          const rtt = baseRtt(subject, flow);
          return flowSamples.times.map((time) => finite(rtt(time) * MILLI));
        }),
        ...perFlow(
          subject,
          "solid",
          flowPoints("rtt_sample", () => MILLI),
        ),
      ],
    }),
    queue(subject),
    ofFlows(
      subject,
      {
        id: "goodput",
        title: "Goodput",
        unit: "Mbit/s",
        hint: `over ${rates.width} s each`,
        lines: subject.flows.map((flow, place) => ({
          label: flow.name,
          flow: place,
          colour: colourOf(place),
          style: "solid" as const,
          points: rates.points[place] ?? [],
        })),
      },
      rates.times,
    ),
  ];
}
