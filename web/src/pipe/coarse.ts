import type { Lane } from "./layout";
import { type Brush, flowColour } from "./painter";
import { cellOf, rowAt } from "./samples";
import { capacity, type Subject, windowOf } from "./subject";
import { rateAt } from "./transmission";

/** Packets that wait at a link by its latest sample. */
export function sampledQueue({ links }: Subject, link: number, time: number): number {
  const value = cellOf(links, "queue_packets", rowAt(links, link, time / 1e9));
  return Number.isFinite(value) ? value : 0;
}

/** Shares of the data in flight by route, of those that cross a link. */
function shares(subject: Subject, link: number, time: number): Map<number, number> {
  const inflight = new Map<number, number>();
  let sum = 0;
  subject.network.routes.forEach(({ path }, route) => {
    if (!path.includes(link)) return;
    const packets = windowOf(subject, route, time / 1e9).inflight;
    if (!(packets > 0)) return;
    inflight.set(route, packets);
    sum += packets;
  });
  return new Map([...inflight].map(([route, packets]) => [route, packets / sum]));
}

/** Share of a link's rate that was used around a time, 0 to 1. */
function usage(subject: Subject, link: number, time: number): number {
  const { links, network } = subject;
  const row = rowAt(links, link, time / 1e9);
  const at = row === null ? -1 : (links.rows.get(link)?.indexOf(row) ?? -1);
  const before = links.rows.get(link)?.[at - 1];
  const plan = network.links[link];
  const rate = plan ? (rateAt(plan.service, time) ?? plan.rate) : null;
  if (row === null || before === undefined || !rate) return 0;
  const bits =
    8 * (cellOf(links, "delivered_bytes", row) - cellOf(links, "delivered_bytes", before));
  const span = cellOf(links, "time", row) - cellOf(links, "time", before);
  return span > 0 ? Math.max(0, Math.min(1, bits / span / rate)) : 0;
}

/**
 * Draws a link from the samples of the run, where packets are too many or too fast to be shown one
 * by one: how full its queue and its wire are, in the colours of the data in flight.
 */
export function drawCoarse(brush: Brush, subject: Subject, lane: Lane, time: number): number {
  if (!lane.carriesData) return 0;
  const { context } = brush;
  const { wire, queue, isForward } = lane;
  const parts = shares(subject, lane.link, time);
  const waiting = sampledQueue(subject, lane.link, time);
  let up = 0;
  const used = usage(subject, lane.link, time);
  const fill = queue ? Math.min(1, waiting / capacity(subject, lane.link, time).packets) : 0;
  for (const [route, share] of parts) {
    context.fillStyle = flowColour(brush, route);
    if (queue) {
      const width = queue.width * fill;
      const x = isForward ? queue.x + queue.width - width : queue.x;
      context.fillRect(x, queue.y + up * queue.height, width, share * queue.height);
    }
    context.globalAlpha = 0.65;
    const height = wire.height * used;
    const top = wire.y + (wire.height - height) / 2;
    context.fillRect(wire.x, top + up * height, wire.width, share * height);
    context.globalAlpha = 1;
    up += share;
  }
  return waiting;
}
