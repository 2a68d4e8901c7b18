import type { Table } from "../engine/contract";
import { DISCIPLINES } from "../traits";
import type { Link, Network } from "./network";
import { Fate, type Packets, Trait } from "./packets";
import { duration, finish } from "./transmission";

/**
 * Says when packets left the queue of a link, and when their last bits were sent.
 *
 * The record has when a packet enters a link and when it reaches the far end. Where every packet
 * takes the same time on the wire, its last bit was sent that much before. Elsewhere the queue is
 * served again: a link sends the next packet as soon as it is free. Any discipline but a shaper
 * does so, whatever packet it chooses; the record has the order in which packets arrive.
 */
export function departures(
  ids: readonly number[],
  packets: Packets,
  index: number,
  network: Network,
  linkSamples: Table,
): void {
  const link = network.links[index];
  if (!link) return;
  copies(ids, packets);
  const leaving = inOrder(ids, packets, link);
  const isExact = link.hasConstantDelay && !endsAtSlowHost(index, network);
  if (isExact) fromArrivals(leaving, packets, link);
  else serve(leaving, packets, link, anchor(linkSamples, index, leaving, packets));
}

function endsAtSlowHost(link: number, network: Network): boolean {
  return network.routes.some(
    ({ hasHostTime, path, reversePath }) =>
      hasHostTime && (path.at(-1) === link || reversePath.at(-1) === link),
  );
}

function copies(ids: readonly number[], packets: Packets): void {
  for (const id of ids) {
    if (!packets.has(id, Trait.Copy)) continue;
    packets.left[id] = packets.entered[id] as number;
    packets.sent[id] = packets.entered[id] as number;
  }
}

/** The packets that a link sends, in the order of their departure. */
function inOrder(ids: readonly number[], packets: Packets, link: Link): number[] {
  const leaving = ids.filter((id) => {
    const fate = packets.fate[id];
    return (fate === Fate.Delivered || fate === Fate.LostOnWire) && !packets.has(id, Trait.Copy);
  });
  if (DISCIPLINES[link.qdisc]?.inOrder) return leaving;
  const start = (id: number): number => {
    if (packets.has(id, Trait.StartKnown)) return packets.left[id] as number;
    if (!packets.has(id, Trait.ArrivalKnown)) return Number.POSITIVE_INFINITY;
    const sent = (packets.arrived[id] as number) - link.delay;
    return sent - duration(link.service, sent, packets.size[id] as number);
  };
  const starts = new Map(leaving.map((id) => [id, start(id)]));
  // Infinity minus infinity is not a number: packets without a known start keep their order.
  return leaving.sort((a, b) => {
    const [first, second] = [starts.get(a) ?? 0, starts.get(b) ?? 0];
    return first === second ? 0 : first - second;
  });
}

/** A gap after which a link that was free did not serve the packet that waited: it was down. */
const GAP_IN_PACKETS = 2;

function fromArrivals(leaving: readonly number[], packets: Packets, link: Link): void {
  const { service } = link;
  let freeAt = Number.NEGATIVE_INFINITY;
  for (const id of leaving) {
    const size = packets.size[id] as number;
    const entered = packets.entered[id] as number;
    if (!packets.has(id, Trait.ArrivalKnown)) {
      const isKnown = packets.has(id, Trait.StartKnown);
      const start = isKnown ? (packets.left[id] as number) : Math.max(entered, freeAt);
      freeAt = leave(packets, id, start, finish(service, start, size));
      continue;
    }
    const sent = (packets.arrived[id] as number) - link.delay;
    const length = duration(service, sent, size);
    // With a rate that varies, the rate at the end is not that of the start.
    const earliest = Math.max(entered, freeAt);
    const varies = service.kind === "schedule" && sent - earliest < (1 + GAP_IN_PACKETS) * length;
    freeAt = leave(packets, id, Math.max(entered, varies ? earliest : sent - length), sent);
  }
}

function leave(packets: Packets, id: number, start: number, sent: number): number {
  packets.left[id] = start;
  packets.sent[id] = Math.max(start, sent);
  return packets.sent[id] as number;
}

/** A time before which all packets up to one had been sent. */
interface Anchor {
  readonly freeAt: number;
  /** Index of the first packet after it. */
  readonly first: number;
}

/** The first sample of the link in the window: all that had entered is sent after its delay. */
function anchor(
  samples: Table,
  index: number,
  leaving: readonly number[],
  packets: Packets,
): Anchor | null {
  const times = samples.columns.time?.values ?? [];
  const links = samples.columns.link?.values ?? [];
  const delays = samples.columns.queue_delay?.values ?? [];
  const begin = leaving.findIndex((id) => (packets.entered[id] as number) >= 0);
  if (begin < 0) return null;
  const from = packets.entered[leaving[begin] as number] as number;
  // A series of every change has a row for each packet of a moment: the last one has them all.
  let latest: { time: number; row: number } | null = null;
  for (let row = 0; row < samples.rows; row++) {
    const time = (times[row] as number) * 1e9;
    if (links[row] !== index || time < from) continue;
    if (latest !== null && latest.time !== time) break;
    latest = { time, row };
  }
  if (latest === null) return null;
  const { time, row } = latest;
  const first = leaving.findIndex((id) => (packets.entered[id] as number) > time);
  return first < 0 ? null : { freeAt: time + (delays[row] as number) * 1e9, first };
}

/** Serves the queue again from the anchor on, and before it backwards. */
function serve(
  leaving: readonly number[],
  packets: Packets,
  link: Link,
  from: Anchor | null,
): void {
  const first = from?.first ?? 0;
  let freeAt = from?.freeAt ?? Number.NEGATIVE_INFINITY;
  for (let at = first; at < leaving.length; at++) {
    const id = leaving[at] as number;
    const start = packets.has(id, Trait.StartKnown)
      ? (packets.left[id] as number)
      : Math.max(freeAt, packets.entered[id] as number, 0);
    const sent = finish(link.service, start, packets.size[id] as number);
    freeAt = leave(packets, id, start, Math.min(sent, packets.arrived[id] as number));
  }
  let next = from?.freeAt ?? Number.POSITIVE_INFINITY;
  for (let at = first - 1; at >= 0; at--) {
    const id = leaving[at] as number;
    const end = Math.min(next, (packets.arrived[id] as number) - link.delay);
    const length = duration(link.service, end, packets.size[id] as number);
    next = Math.max(packets.entered[id] as number, end - length);
    leave(packets, id, next, end);
  }
}
