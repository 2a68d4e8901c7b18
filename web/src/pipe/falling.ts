import { eachTrouble, type Journal } from "./journal";
import type { Lane } from "./layout";
import { Fate } from "./packets";
import { type Brush, write } from "./painter";

/** Most fallen packets that are drawn of a link. */
const MOST = 160;
const DEPTH = 46;
const SIZE = 8;

/**
 * Draws the packets that a link has dropped since `time - span`: they fall from the place where
 * they were lost. Returns their number.
 */
export function drawFalling(
  brush: Brush,
  journal: Journal,
  lane: Lane,
  time: number,
  span: number,
): number {
  const { context, palette, hits } = brush;
  const { packets, network } = journal;
  const { wire, queue, isForward } = lane;
  const fallen: { id: number; at: number }[] = [];
  eachTrouble(journal, lane.link, time - span, time, (id, at) => fallen.push({ id, at }));
  const bottom = queue ? queue.y + queue.height : wire.y + wire.height;
  const delay = Math.max(1, network.links[lane.link]?.delay ?? 1);
  for (const { id, at } of fallen.slice(-MOST)) {
    const age = (time - at) / span;
    const fate = packets.fate[id];
    const way = isForward ? 1 : -1;
    const entry = queue
      ? isForward
        ? queue.x
        : queue.x + queue.width
      : isForward
        ? wire.x
        : wire.x + wire.width;
    const exit = isForward ? wire.x : wire.x + wire.width;
    let x = entry - way * SIZE;
    if (fate === Fate.DroppedFromQueue) x = exit - way * (SIZE + 2);
    if (fate === Fate.LostOnWire)
      x = exit + way * wire.width * Math.min(0.95, (time - at) / delay);
    // Packets that are lost at one time fall beside each other.
    const spread = (((id * 7919) % 61) - 30) * age;
    const weight = 0.75 + ((id * 104_729) % 50) / 100;
    const y = bottom - SIZE + DEPTH * weight * age * (0.4 + age);
    context.globalAlpha = 1 - age ** 3;
    context.fillStyle = palette.drop;
    context.fillRect(x + spread, y, SIZE, SIZE);
    hits.add(id, x + spread, y, SIZE, SIZE);
  }
  context.globalAlpha = 1;
  if (fallen.length > 0 && lane.carriesData) {
    const x = queue ? queue.x : wire.x;
    write(brush, `${fallen.length} lost`, x + 40, bottom + 22, palette.drop, "left", "600");
  }
  return fallen.length;
}
