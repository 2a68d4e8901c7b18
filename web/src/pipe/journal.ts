import type { Detail, RunResult, Table } from "../engine/contract";
import { departures } from "./departures";
import { type Link, type Network, readNetwork } from "./network";
import { Fate, type Packets } from "./packets";
import { type Read, read } from "./reading";
import { countBelow, countUpTo } from "./search";

/** The packets of one link within a window, in the order of their arrival. */
export interface Track {
  readonly link: Link;
  readonly ids: Int32Array;
  readonly entered: Float64Array;
  /** Latest time at which this packet or one before it left the queue. */
  readonly leftBy: Float64Array;
  /** Latest time at which this packet or one before it left the link. */
  readonly goneBy: Float64Array;
  /** Packets that were refused, dropped or lost, in the order of time. */
  readonly troubles: Int32Array;
  readonly troubleTimes: Float64Array;
}

/** Where each packet is at each time of a window, ns. */
export interface Journal {
  readonly network: Network;
  readonly packets: Packets;
  readonly tracks: readonly Track[];
}

/** When a packet fell out of the queue, or was lost on the wire: when its last bit was sent. */
export function troubleTime(packets: Packets, id: number): number {
  const isOnWire = packets.fate[id] === Fate.LostOnWire;
  return (isOnWire ? packets.sent[id] : packets.left[id]) as number;
}

function track(link: Link, ids: readonly number[], packets: Packets): Track {
  const count = ids.length;
  const entered = new Float64Array(count);
  const leftBy = new Float64Array(count);
  const goneBy = new Float64Array(count);
  const troubles: number[] = [];
  let lastLeft = Number.NEGATIVE_INFINITY;
  let lastGone = Number.NEGATIVE_INFINITY;
  ids.forEach((id, at) => {
    const left = packets.left[id] as number;
    const fate = packets.fate[id];
    const isDelivered = fate === Fate.Delivered;
    const gone = (
      isDelivered ? packets.arrived[id] : fate === Fate.LostOnWire ? packets.sent[id] : left
    ) as number;
    lastLeft = Math.max(lastLeft, left);
    lastGone = Math.max(lastGone, gone);
    entered[at] = packets.entered[id] as number;
    leftBy[at] = lastLeft;
    goneBy[at] = lastGone;
    if (!isDelivered) troubles.push(id);
  });
  troubles.sort((a, b) => troubleTime(packets, a) - troubleTime(packets, b));
  return {
    link,
    ids: Int32Array.from(ids),
    entered,
    leftBy,
    goneBy,
    troubles: Int32Array.from(troubles),
    troubleTimes: Float64Array.from(troubles, (id) => troubleTime(packets, id)),
  };
}

/** Makes the journal of a table of packets; gives way now and then. */
export function* journal(
  packets: Table,
  plan: string,
  linkSamples: Table,
): Generator<void, Journal> {
  const network = readNetwork(plan);
  const rows: Read = yield* read(packets, network);
  const tracks: Track[] = [];
  for (const [index, link] of network.links.entries()) {
    const ids = rows.byLink[index] ?? [];
    yield;
    departures(ids, rows.packets, index, network, linkSamples);
    yield;
    tracks.push(track(link, ids, rows.packets));
  }
  return { network, packets: rows.packets, tracks };
}

const journals = new WeakMap<Detail, Journal>();

/** Time in ms after which the making of a journal lets the page draw. */
const SLICE = 4;

/** Makes the journal of a window in slices, between which the page draws. */
export async function prepare(detail: Detail, plan: string, run: RunResult): Promise<void> {
  if (journals.has(detail)) return;
  const steps = journal(detail.packets, plan, run.tables.link_samples);
  for (;;) {
    const began = performance.now();
    while (performance.now() - began < SLICE) {
      const step = steps.next();
      if (!step.done) continue;
      journals.set(detail, step.value);
      return;
    }
    await new Promise((resume) => setTimeout(resume));
  }
}

/** The journal of a window for which `prepare` is done. */
export function journalOf(detail: Detail): Journal | null {
  return journals.get(detail) ?? null;
}

/** Calls `visit` with each packet that waits in the queue of a link. */
export function eachWaiting(
  { packets, tracks }: Journal,
  link: number,
  time: number,
  visit: (id: number) => void,
): void {
  const track = tracks[link];
  if (!track) return;
  const end = countUpTo(track.entered, time);
  for (let at = countUpTo(track.leftBy, time, end); at < end; at++) {
    const id = track.ids[at] as number;
    if ((packets.left[id] as number) > time) visit(id);
  }
}

/** Number of packets that wait in the queue of a link. */
export function queueLength(journal: Journal, link: number, time: number): number {
  let count = 0;
  eachWaiting(journal, link, time, () => count++);
  return count;
}

/** Calls `visit` with each packet that has begun to leave, and has not reached the far end. */
export function eachTravelling(
  { packets, tracks }: Journal,
  link: number,
  time: number,
  visit: (id: number) => void,
): void {
  const track = tracks[link];
  if (!track) return;
  const end = countUpTo(track.entered, time);
  for (let at = countUpTo(track.goneBy, time, end); at < end; at++) {
    const id = track.ids[at] as number;
    const fate = packets.fate[id];
    if ((packets.left[id] as number) > time) continue;
    if (fate === Fate.Delivered && (packets.arrived[id] as number) > time) visit(id);
    else if (fate === Fate.LostOnWire && (packets.sent[id] as number) > time) visit(id);
  }
}

/** Calls `visit` with each packet that was dropped or lost from `from` to `to`, with the time. */
export function eachTrouble(
  { tracks }: Journal,
  link: number,
  from: number,
  to: number,
  visit: (id: number, time: number) => void,
): void {
  const track = tracks[link];
  if (!track) return;
  const end = countUpTo(track.troubleTimes, to);
  for (let at = countBelow(track.troubleTimes, from); at < end; at++) {
    visit(track.troubles[at] as number, track.troubleTimes[at] as number);
  }
}
