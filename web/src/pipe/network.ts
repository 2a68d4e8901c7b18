import { type FlowPlan, type LinkPlan, type Plan, type QdiscPlan, readPlan } from "../plan";

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

/** Parts of a plan that only the picture needs. */
interface WithShaper extends QdiscPlan {
  readonly rate_bps?: number;
  readonly qdisc?: QdiscPlan;
}
interface WithParts extends FlowPlan {
  readonly part_of?: string | null;
  readonly transport: FlowPlan["transport"] & { readonly host_time?: unknown };
}
interface StreamPlan {
  readonly name: string;
  readonly path: readonly number[];
  readonly header_bytes: number;
  readonly app?: { readonly payload_bytes?: number };
}
interface WithStreams extends Plan {
  readonly flows: readonly WithParts[];
  readonly streams?: readonly StreamPlan[];
}

/** Impairments after which packets of one link take different times. */
const DELAYING = new Set(["jitter", "delay-schedule", "reorder", "slot"]);

function service(link: LinkPlan): Service {
  const given = link.service;
  if (given?.kind === "trace") return { kind: "trace" };
  if (given?.rates) {
    const steps = given.rates.map(([from, rate]) => ({ from: from / 1000, rate }));
    return { kind: "schedule", steps, period: given.period_ps ? given.period_ps / 1000 : null };
  }
  return link.rate_bps ? { kind: "constant", rate: link.rate_bps } : { kind: "none" };
}

function limits(qdisc: QdiscPlan): Limit[] {
  const first = qdisc.limit ?? qdisc;
  return [{ ...first, from_ps: 0 }, ...(first.later ?? [])].map((limit) => ({
    from: limit.from_ps / 1000,
    packets: limit.limit_packets ?? null,
    bytes: limit.limit_bytes ?? null,
  }));
}

/** The limit of a link's queue at a time, packets of `size` bytes; null: none. */
export function limitAt(link: Link, time: number, size: number): number | null {
  const limit = link.limits.findLast(({ from }) => from <= time);
  const byBytes = limit?.bytes == null ? null : Math.floor(limit.bytes / size);
  if (limit?.packets == null) return byBytes;
  return byBytes === null ? limit.packets : Math.min(limit.packets, byBytes);
}

function readLink(link: LinkPlan): Link {
  const outer: WithShaper = link.qdisc;
  const inner = outer.qdisc ?? outer;
  return {
    name: link.name,
    service: service(link),
    rate: link.rate_bps ?? null,
    delay: link.delay_ps / 1000,
    qdisc: inner.kind,
    limits: limits(inner),
    hasConstantDelay: !(link.impairments ?? []).some(({ kind }) => DELAYING.has(kind)),
  };
}

/** Reads the network of a plan, which is JSON text that the engine accepts. */
export function readNetwork(plan: string): Network {
  const text: WithStreams = readPlan(plan);
  const links = text.links.map(readLink);
  const flows = text.flows.map((flow) => ({
    name: flow.name,
    cc: flow.cc,
    partOf: flow.part_of ?? null,
    path: flow.path,
    reversePath: flow.reverse_path,
    mss: flow.transport.mss,
    packetSize: flow.transport.mss + flow.transport.header_bytes,
    hasHostTime: (flow.transport.host_time ?? null) !== null,
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
