import type { Detail, RunResult, Table } from "../engine/contract";
import { type Journal, journalOf } from "../pipe/journal";
import { baseRtt, type Network } from "../pipe/network";
import { Trait } from "../pipe/packets";
import { cellOf, rowAt, samplesBy } from "../pipe/samples";
import { countBelow, countUpTo } from "../pipe/search";

export type Unit = "packet" | "ack" | "round";

function distinct(times: number[]): Float64Array {
  times.sort((a, b) => a - b);
  return Float64Array.from(times.filter((time, at) => time !== times[at - 1]));
}

/** Times, s, at which data packets of a route left the sender. */
function packetTimes({ packets, network, tracks }: Journal, route: number): Float64Array {
  const first = network.routes[route]?.path[0] ?? -1;
  const times: number[] = [];
  for (const id of tracks[first]?.ids ?? []) {
    const entered = packets.entered[id] as number;
    const isData = packets.route[id] === route && !packets.has(id, Trait.Ack);
    if (isData && entered >= 0 && !packets.has(id, Trait.Copy)) times.push(entered / 1e9);
  }
  return distinct(times);
}

/** Times, s, at which ACKs reached the sender of a route. */
function ackTimes(decisions: Table, journal: Journal, route: number): Float64Array {
  const { time, flow, cause } = decisions.columns;
  const ack = cause?.names.indexOf("ack") ?? -1;
  const times: number[] = [];
  if (decisions.rows > 0 && time && flow && cause) {
    for (let row = 0; row < decisions.rows; row++) {
      if (flow.values[row] === route && cause.values[row] === ack)
        times.push(time.values[row] as number);
    }
    return distinct(times);
  }
  const { packets, network, tracks } = journal;
  const last = network.routes[route]?.reversePath.at(-1) ?? -1;
  for (const id of tracks[last]?.ids ?? []) {
    const isAck = packets.route[id] === route && packets.has(id, Trait.Ack);
    if (isAck && packets.has(id, Trait.ArrivalKnown))
      times.push((packets.arrived[id] as number) / 1e9);
  }
  return distinct(times);
}

const known = new WeakMap<Detail, Map<string, Float64Array>>();

/** Times of the events of a route within a window, s, ascending, each once. */
export function eventTimes(detail: Detail, unit: "packet" | "ack", route: number): Float64Array {
  const journal = journalOf(detail);
  if (!journal) return new Float64Array();
  const ofDetail = known.get(detail) ?? new Map<string, Float64Array>();
  known.set(detail, ofDetail);
  const key = `${unit} ${route}`;
  const made =
    ofDetail.get(key) ??
    (unit === "packet"
      ? packetTimes(journal, route)
      : ackTimes(detail.decisions, journal, route));
  ofDetail.set(key, made);
  return made;
}

/** The event next to a time, in the given direction; null: the window has none. */
export function neighbour(times: Float64Array, now: number, direction: 1 | -1): number | null {
  const at = direction > 0 ? countUpTo(times, now) : countBelow(times, now) - 1;
  return times[at] ?? null;
}

/** Time of a round trip of a route as its sender knows it at a time, s. */
export function roundTrip(run: RunResult, network: Network, route: number, now: number): number {
  const samples = samplesBy(run.tables.flow_samples, "flow");
  const srtt = cellOf(samples, "srtt", rowAt(samples, route, now));
  if (Number.isFinite(srtt) && srtt > 0) return srtt;
  const flow = network.routes[route];
  const base = flow ? baseRtt(network, flow) / 1e9 : 0;
  return base > 0 ? base : 1e-3;
}
