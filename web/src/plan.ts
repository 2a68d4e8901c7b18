/** The parts of a plan that the page shows, every flow and link in full. */

export interface LimitPlan {
  readonly limit_bytes?: number | null;
  readonly limit_packets?: number | null;
  readonly later?: readonly (LimitPlan & { readonly from_ps: number })[];
}

export interface QdiscPlan extends LimitPlan {
  readonly kind: string;
  readonly limit?: LimitPlan;
}

export interface ServicePlan {
  readonly kind: string;
  readonly rates?: readonly (readonly [number, number])[];
  readonly period_ps?: number | null;
}

export interface ImpairmentPlan {
  readonly kind: string;
  readonly delays?: readonly (readonly [number, number])[];
  readonly period_ps?: number | null;
}

export interface LinkPlan {
  readonly name: string;
  readonly rate_bps?: number | null;
  readonly delay_ps: number;
  readonly qdisc: QdiscPlan;
  readonly service?: ServicePlan | null;
  readonly impairments?: readonly ImpairmentPlan[];
}

export interface FlowPlan {
  readonly name: string;
  readonly cc: string;
  readonly start_ps: number;
  readonly path: readonly number[];
  readonly reverse_path: readonly number[];
  readonly transport: { readonly mss: number; readonly header_bytes: number };
}

export interface Plan {
  readonly duration_ps: number;
  readonly warmup_ps: number;
  readonly links: readonly LinkPlan[];
  readonly flows: readonly FlowPlan[];
}

export const PS_PER_S = 1e12;

type Entry = Readonly<Record<string, unknown>>;
type Group = Readonly<Record<string, unknown>> & {
  readonly model: number;
  readonly name: readonly string[];
};

/** The entries of a list, with those that the plan's short form gives as columns of a group. */
function whole(written: readonly Entry[], groups: readonly Group[]): Entry[] {
  const byModel = new Map(groups.map((group) => [group.model, group]));
  return written.flatMap((entry, place) => {
    const group = byModel.get(place);
    if (!group) return [entry];
    const columns = Object.entries(group).filter(
      ([key, values]) => key !== "clock_phase_ps" && Array.isArray(values) && values.length > 0,
    );
    const alike = group.name.map((_, row) => {
      const own = columns.map(([key, values]) => [key, (values as unknown[])[row]]);
      return { ...entry, ...Object.fromEntries(own) };
    });
    return [entry, ...alike];
  });
}

/** Reads a plan's text. Integers above 2^53 lose digits, which no picture needs. */
export function readPlan(text: string): Plan {
  const plan = JSON.parse(text) as Record<string, unknown>;
  const list = (key: string): Entry[] =>
    whole((plan[key] ?? []) as Entry[], (plan[`alike_${key}`] ?? []) as Group[]);
  return { ...plan, links: list("links"), flows: list("flows") } as unknown as Plan;
}

/** Steps of time, s, and a value that holds from then on. */
export type Steps = readonly (readonly [time: number, value: number])[];

function repeated(steps: Steps, period: number | null | undefined, end: number): Steps {
  if (!period) return steps;
  const times = Math.ceil((end * PS_PER_S) / period);
  const length = period / PS_PER_S;
  return Array.from({ length: Math.min(times, 10_000) }, (_, cycle) =>
    steps.map(([time, value]) => [time + cycle * length, value] as const),
  ).flat();
}

/** The rate of a link over time, bit/s; a trace counts with its mean. */
export function rateSteps(link: LinkPlan, end: number): Steps {
  const { rates, period_ps: period } = link.service ?? {};
  if (rates) {
    const steps = rates.map(([time, rate]) => [time / PS_PER_S, rate] as const);
    return repeated(steps, period, end);
  }
  return link.rate_bps ? [[0, link.rate_bps]] : [];
}

/** The limit of a queue over time, in packets or in bytes; Infinity: none. */
export function limitSteps(
  { qdisc }: LinkPlan,
  unit: "limit_packets" | "limit_bytes",
): Steps | null {
  const first = qdisc.limit ?? qdisc;
  const all = [{ ...first, from_ps: 0 }, ...(first.later ?? [])];
  if (all.every((limit) => limit[unit] === undefined || limit[unit] === null)) return null;
  return all.map((limit) => [limit.from_ps / PS_PER_S, limit[unit] ?? Number.POSITIVE_INFINITY]);
}

/** Time by which a link's delay differs from its nominal one, s, over time. */
export function delayShiftSteps(link: LinkPlan, end: number): Steps {
  const schedule = link.impairments?.find(({ kind }) => kind === "delay-schedule");
  if (!schedule?.delays) return [];
  const steps: Steps = [
    [0, 0],
    ...schedule.delays.map(
      ([time, delay]) => [time / PS_PER_S, (delay - link.delay_ps) / PS_PER_S] as const,
    ),
  ];
  return repeated(steps, schedule.period_ps, end);
}

/** The value of steps at a time; `before` ahead of the first. */
export function valueAt(steps: Steps, time: number, before = Number.NaN): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps[middle]?.[0] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return steps[low - 1]?.[1] ?? before;
}
