import { DISCIPLINES } from "../traits";
import { type Brush, flowColour } from "./brush";
import { eachWaiting, type Journal } from "./journal";
import type { Box, Lane } from "./layout";
import { Trait } from "./packets";

/** Least side of a packet that is drawn with a gap beside it, pixels. */
const LEAST_WITH_GAP = 3.5;

/** Rows and columns of packets that fill a box. */
export interface Grid {
  readonly rows: number;
  readonly columns: number;
}

/** The grid for `packets` packets in a box in which they are least stretched. */
export function gridFor(packets: number, width: number, height: number): Grid {
  let best: Grid = { rows: 1, columns: packets };
  let least = Number.POSITIVE_INFINITY;
  for (let rows = 1; rows <= Math.max(1, Math.floor(height / 2)); rows++) {
    const columns = Math.ceil(packets / rows);
    // Packets stand upright, as those on the wire do.
    const stretch = Math.abs(Math.log((width / columns / (height / rows)) * 1.5));
    // A queue that is full fills its box.
    const fault = stretch + (rows * columns - packets) / columns;
    if (fault >= least) continue;
    least = fault;
    best = { rows, columns };
  }
  return best;
}

/** Draws the packets that wait: the next one to leave stands beside the wire. */
export function drawQueue(
  brush: Brush,
  journal: Journal,
  lane: Lane,
  room: number,
  time: number,
): number {
  const box = lane.queue;
  if (!box) return 0;
  const waiting: number[] = [];
  eachWaiting(journal, lane.link, time, (id) => waiting.push(id));
  if (DISCIPLINES[journal.network.links[lane.link]?.qdisc ?? ""]?.isFair) {
    drawByFlow(brush, journal, lane, waiting, time);
  } else {
    drawBricks(brush, journal, lane, box, waiting, gridFor(room, box.width, box.height), time);
  }
  return waiting.length;
}

function drawByFlow(
  brush: Brush,
  journal: Journal,
  lane: Lane,
  waiting: readonly number[],
  time: number,
): void {
  const box = lane.queue as Box;
  const users = journal.network.routes.flatMap(({ path }, route) =>
    path.includes(lane.link) ? [route] : [],
  );
  const rows = new Map<number, number[]>(users.map((route) => [route, []]));
  for (const id of waiting) rows.get(journal.packets.route[id] as number)?.push(id);
  const longest = Math.max(8, ...[...rows.values()].map((ids) => ids.length));
  const columns = 2 ** Math.ceil(Math.log2(longest));
  const height = box.height / Math.max(1, rows.size);
  [...rows.values()].forEach((ids, at) => {
    const row = { ...box, y: box.y + at * height, height };
    drawBricks(brush, journal, lane, row, ids, { rows: 1, columns }, time);
  });
}

function drawBricks(
  brush: Brush,
  { packets }: Journal,
  lane: Lane,
  box: Box,
  ids: readonly number[],
  { rows, columns }: Grid,
  time: number,
): void {
  const { context, palette, hits } = brush;
  const width = box.width / columns;
  const height = box.height / rows;
  const gapX = width >= LEAST_WITH_GAP ? 1 : 0;
  const gapY = height >= LEAST_WITH_GAP ? 1 : 0;
  const most = Math.min(ids.length, rows * columns);
  let colour = "";
  for (let at = 0; at < most; at++) {
    const id = ids[at] as number;
    const column = Math.floor(at / rows);
    const x = lane.isForward ? box.x + box.width - (column + 1) * width : box.x + column * width;
    const y = box.y + (at % rows) * height;
    const next = flowColour(brush, packets.route[id] as number);
    if (next !== colour) {
      colour = next;
      context.fillStyle = next;
    }
    context.fillRect(
      x + gapX / 2,
      y + gapY / 2,
      Math.max(0.6, width - gapX),
      Math.max(0.6, height - gapY),
    );
    hits.add(id, x, y, width, height);
    if (packets.has(id, Trait.Retransmission) && width > 2) {
      context.fillStyle = palette.paper;
      context.fillRect(x + width * 0.3, y + height * 0.25, width * 0.4, height * 0.5);
      context.fillStyle = colour;
    }
    if ((packets.marked[id] as number) <= time) ring(brush, x, y, width, height);
  }
}

/** A frame around a packet that was marked CE. */
export function ring(
  { context, palette }: Brush,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  context.strokeStyle = palette.ink;
  context.lineWidth = 2;
  context.strokeRect(x + 0.5, y + 0.5, Math.max(2, width - 1), Math.max(2, height - 1));
}
