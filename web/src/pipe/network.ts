/** The network of a plan: links, and the ways of flows and streams over them. Times are in ns. */

/** Rates from given times on, as a plan's `service` of kind `schedule` says them. */
export interface RateStep {
  readonly from: number;
  /** bit/s. */
  readonly rate: number;
}

export type Service =
  | { readonly kind: "constant"; readonly rate: number }
  | {
      readonly kind: "schedule";
      readonly steps: readonly RateStep[];
      readonly period: number | null;
    }
  | { readonly kind: "trace" }
  /** Infinitely fast: nothing ever queues. */
  | { readonly kind: "none" };

/** A limit of a queue from a time on; null: none of this kind. */
export interface Limit {
  readonly from: number;
  readonly packets: number | null;
  readonly bytes: number | null;
}

export interface Link {
  readonly name: string;
  readonly service: Service;
  /** Line rate, bit/s; the nominal one where it varies; null: infinitely fast. */
  readonly rate: number | null;
  readonly delay: number;
  /** Kind of the queue discipline; that of the inner one for a shaper. */
  readonly qdisc: string;
  /** Rate of a shaper (tbf), bit/s; null without one. */
  readonly shaper: number | null;
  /** Limits of the queue, in the order of their times; the first holds from the start. */
  readonly limits: readonly Limit[];
  /** Whether every packet takes the same time from its last bit to the far end. */
  readonly hasConstantDelay: boolean;
}

export interface Route {
  readonly name: string;
  /** Name of the congestion control; "udp" for a stream. */
  readonly cc: string;
  /** Name of the transfer that this connection carries with others; null: it is on its own. */
  readonly partOf: string | null;
  readonly path: readonly number[];
  /** Empty for a stream. */
  readonly reversePath: readonly number[];
  /** Payload and wire size of a full packet, bytes. */
  readonly mss: number;
  readonly packetSize: number;
  readonly hasHostTime: boolean;
}

export interface Network {
  readonly links: readonly Link[];
  /** Flows, then streams: the order of the codes in the tables. */
  readonly routes: readonly Route[];
  /** Number of routes that are flows. */
  readonly flows: number;
}

interface Alike {
  readonly model: number;
  readonly name: readonly string[];
  readonly [column: string]: unknown;
}
interface Entry {
  readonly name: string;
}

/** All entries of a list: those that are alike follow the one that they are like. */
function whole<T extends Entry>(entries: readonly T[], alike: readonly Alike[]): T[] {
  const all: T[] = [];
  entries.forEach((entry, index) => {
    all.push(entry);
    for (const { model, ...columns } of alike) {
      if (model !== index) continue;
      columns.name.forEach((_, at) => {
        const other = { ...entry } as unknown as Record<string, unknown>;
        for (const [key, values] of Object.entries(columns)) {
          if (!Array.isArray(values) || values.length === 0) continue;
          // A flow's clock phase stands in its transport.
          if (key !== "clock_phase_ps") other[key] = values[at];
        }
        all.push(other as unknown as T);
      });
    }
  });
  return all;
}

interface LinkText extends Entry {
  readonly rate_bps: number | null;
  readonly delay_ps: number;
  readonly qdisc: QdiscText;
  readonly service?: ServiceText | null;
  readonly impairments?: readonly { readonly kind: string }[];
}
interface QdiscText {
  readonly kind: string;
  readonly limit?: unknown;
  readonly limit_packets?: number | null;
  readonly limit_bytes?: number | null;
  readonly rate_bps?: number;
  readonly qdisc?: QdiscText;
  readonly later?: readonly {
    readonly from_ps: number;
    readonly limit_packets?: number | null;
    readonly limit_bytes?: number | null;
  }[];
}
type ServiceText =
  | {
      readonly kind: "schedule";
      readonly rates: readonly (readonly [number, number])[];
      readonly period_ps?: number | null;
    }
  | { readonly kind: "trace" };
interface FlowText extends Entry {
  readonly cc: string;
  readonly path: readonly number[];
  readonly reverse_path: readonly number[];
  readonly part_of?: string | null;
  readonly transport: {
    readonly mss: number;
    readonly header_bytes: number;
    readonly host_time: unknown;
  };
}
interface StreamText extends Entry {
  readonly path: readonly number[];
  readonly header_bytes: number;
  readonly app?: { readonly payload_bytes?: number };
}
interface PlanText {
  readonly links: readonly LinkText[];
  readonly alike_links?: readonly Alike[];
  readonly flows: readonly FlowText[];
  readonly alike_flows?: readonly Alike[];
  readonly streams?: readonly StreamText[];
}

/** Impairments after which packets of one link take different times. */
const DELAYING = new Set(["jitter", "delay-schedule", "reorder", "slot"]);

function service(link: LinkText): Service {
  const given = link.service;
  if (given?.kind === "trace") return { kind: "trace" };
  if (given?.kind === "schedule") {
    const steps = given.rates.map(([from, rate]) => ({ from: from / 1000, rate }));
    return { kind: "schedule", steps, period: given.period_ps ? given.period_ps / 1000 : null };
  }
  return link.rate_bps === null ? { kind: "none" } : { kind: "constant", rate: link.rate_bps };
}

function limits(qdisc: QdiscText): Limit[] {
  const given = (typeof qdisc.limit === "object" ? qdisc.limit : null) as QdiscText | null;
  const first = {
    from: 0,
    packets: given?.limit_packets ?? qdisc.limit_packets ?? null,
    bytes: given?.limit_bytes ?? qdisc.limit_bytes ?? null,
  };
  const later = (qdisc.later ?? []).map((limit) => ({
    from: limit.from_ps / 1000,
    packets: limit.limit_packets ?? null,
    bytes: limit.limit_bytes ?? null,
  }));
  return [first, ...later];
}

/** The limit of a link's queue at a time, packets of `size` bytes; null: none. */
export function limitAt(link: Link, time: number, size: number): number | null {
  const limit = link.limits.findLast(({ from }) => from <= time);
  const byBytes = limit?.bytes == null ? null : Math.floor(limit.bytes / size);
  if (limit?.packets == null) return byBytes;
  return byBytes === null ? limit.packets : Math.min(limit.packets, byBytes);
}

function readLink(link: LinkText): Link {
  const inner = link.qdisc.qdisc ?? link.qdisc;
  return {
    name: link.name,
    service: service(link),
    rate: link.rate_bps,
    delay: link.delay_ps / 1000,
    qdisc: inner.kind,
    shaper: link.qdisc.kind === "tbf" ? (link.qdisc.rate_bps ?? null) : null,
    limits: limits(inner),
    hasConstantDelay: !(link.impairments ?? []).some(({ kind }) => DELAYING.has(kind)),
  };
}

/** Reads the network of a plan, which is JSON text that the engine accepts. */
export function readNetwork(plan: string): Network {
  const text = JSON.parse(plan) as PlanText;
  const links = whole(text.links, text.alike_links ?? []).map(readLink);
  const flows = whole(text.flows, text.alike_flows ?? []).map((flow) => ({
    name: flow.name,
    cc: flow.cc,
    partOf: flow.part_of ?? null,
    path: flow.path,
    reversePath: flow.reverse_path,
    mss: flow.transport.mss,
    packetSize: flow.transport.mss + flow.transport.header_bytes,
    hasHostTime: flow.transport.host_time !== null && flow.transport.host_time !== undefined,
  }));
  const streams = (text.streams ?? []).map((stream) => ({
    name: stream.name,
    cc: "udp",
    partOf: null,
    path: stream.path,
    reversePath: [],
    mss: stream.app?.payload_bytes ?? 1000,
    packetSize: (stream.app?.payload_bytes ?? 1000) + stream.header_bytes,
    hasHostTime: false,
  }));
  return { links, routes: [...flows, ...streams], flows: flows.length };
}

/** The least time there and back of a route, without transmission, queueing and hosts, ns. */
export function baseRtt(network: Network, route: Route): number {
  const both = [...route.path, ...route.reversePath];
  return both.reduce((sum, link) => sum + (network.links[link]?.delay ?? 0), 0);
}

/** The link that a reader looks at: the slowest one on the way of the most data. */
export function bottleneck(network: Network): number {
  const users = new Map<number, number>();
  for (const route of network.routes) {
    for (const link of route.path) users.set(link, (users.get(link) ?? 0) + 1);
  }
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  network.links.forEach(({ rate, shaper }, link) => {
    if (rate === null || !users.has(link)) return;
    const share = Math.min(rate, shaper ?? rate) / (users.get(link) ?? 1);
    if (share < least) {
      least = share;
      best = link;
    }
  });
  return best;
}
