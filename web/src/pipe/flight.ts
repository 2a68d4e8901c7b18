import { eachTravelling, type Journal } from "./journal";
import type { Lane } from "./layout";
import { Fate, Trait } from "./packets";
import { type Brush, flowColour } from "./painter";
import { ring } from "./queue_cells";

/** Mean width of packets, pixels, below which the wire shows how many there are of each flow. */
const DENSE = 0.5;
/** Least width of a packet, pixels. */
const LEAST = 2.4;

interface Place {
  /** Share of the wire that the first and the last bit have passed. */
  readonly head: number;
  readonly tail: number;
}

/** Where a packet is on its wire. */
export function position({ packets, network }: Journal, id: number, time: number): Place {
  const left = packets.left[id] as number;
  const sent = packets.sent[id] as number;
  const delay = network.links[packets.link[id] as number]?.delay ?? 0;
  const isKnown = packets.fate[id] === Fate.Delivered && packets.has(id, Trait.ArrivalKnown);
  const way = Math.max(1, isKnown ? (packets.arrived[id] as number) - sent : delay);
  return {
    head: Math.min(1, (time - left) / way),
    tail: Math.min(1, Math.max(0, (time - sent) / way)),
  };
}

export interface Travelling {
  readonly data: number;
  readonly acks: number;
}

/** Draws the packets on a wire. */
export function drawWire(brush: Brush, journal: Journal, lane: Lane, time: number): Travelling {
  const travelling: number[] = [];
  eachTravelling(journal, lane.link, time, (id) => travelling.push(id));
  if (lane.wire.width / Math.max(1, travelling.length) < DENSE) {
    drawDensity(brush, journal, lane, travelling, time);
  } else {
    drawPackets(brush, journal, lane, travelling, time);
  }
  const acks = travelling.filter((id) => journal.packets.has(id, Trait.Ack)).length;
  return { data: travelling.length - acks, acks };
}

function drawPackets(
  brush: Brush,
  journal: Journal,
  { wire, isForward }: Lane,
  ids: readonly number[],
  time: number,
): void {
  const { context, palette, hits } = brush;
  const { packets } = journal;
  const least = Math.max(1, Math.min(LEAST, wire.width / Math.max(1, ids.length)));
  for (const id of ids) {
    const { head, tail } = position(journal, id, time);
    const isAck = packets.has(id, Trait.Ack);
    const length = Math.max(least, (head - tail) * wire.width);
    const gap = length > 4 ? 1 : 0;
    const front = isForward ? wire.x + head * wire.width : wire.x + wire.width * (1 - head);
    const x = isForward ? Math.max(wire.x, front - length) : front;
    const end = isForward ? front : Math.min(wire.x + wire.width, front + length);
    const inset = isAck ? wire.height * 0.2 : Math.min(3, wire.height * 0.1);
    const y = wire.y + inset;
    const height = wire.height - 2 * inset;
    const width = Math.max(0.8, end - x - gap);
    const colour = flowColour(brush, packets.route[id] as number);
    context.fillStyle = colour;
    context.fillRect(x, y, width, height);
    hits.add(id, x, wire.y, width, wire.height);
    if (packets.has(id, Trait.Retransmission)) {
      context.fillStyle = palette.paper;
      context.fillRect(x + width * 0.3, y + height * 0.3, width * 0.4, height * 0.4);
    }
    const isMarked = (packets.marked[id] as number) <= time || packets.ecn[id] === 3;
    if (isMarked && !isAck) ring(brush, x, y, width, height);
  }
}

function drawDensity(
  { context, palette, colours }: Brush,
  journal: Journal,
  { wire, isForward }: Lane,
  ids: readonly number[],
  time: number,
): void {
  const bins = Math.max(1, Math.floor(wire.width));
  const kinds = palette.flows.length + 1;
  const counts = new Uint32Array(bins * kinds);
  let most = 0;
  const sums = new Uint32Array(bins);
  for (const id of ids) {
    const { head, tail } = position(journal, id, time);
    const bin = Math.min(bins - 1, Math.floor(Math.max(0, (head + tail) / 2) * bins));
    const kind = colours[journal.packets.route[id] as number] ?? kinds - 1;
    counts[bin * kinds + kind] = (counts[bin * kinds + kind] ?? 0) + 1;
    sums[bin] = (sums[bin] ?? 0) + 1;
    most = Math.max(most, sums[bin] ?? 0);
  }
  for (let bin = 0; bin < bins; bin++) {
    const x = isForward ? wire.x + bin : wire.x + wire.width - 1 - bin;
    let y = wire.y + wire.height;
    for (let kind = 0; kind < kinds; kind++) {
      const count = counts[bin * kinds + kind] as number;
      if (count === 0) continue;
      const height = (count / most) * wire.height;
      y -= height;
      context.fillStyle = palette.flows[kind] ?? palette.quiet;
      context.fillRect(x, y, 1.2, height);
    }
  }
}
