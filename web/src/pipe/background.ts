import { rateText, timeText } from "./figures";
import type { Host, Lane, Layout } from "./layout";
import { type Brush, flowColour, write } from "./painter";
import { capacity, type Subject, windowOf } from "./subject";
import { rateAt } from "./transmission";

/** Draws all that stands still: hosts, lines, wires and boxes of queues. `time` in ns. */
export function drawGround(brush: Brush, layout: Layout, subject: Subject, time: number): void {
  const { context, palette } = brush;
  context.lineWidth = 1.5;
  for (const { route, from, to } of layout.lines) {
    const bend = (from[0] + to[0]) / 2;
    context.globalAlpha = route === null ? 1 : 0.45;
    context.strokeStyle = route === null ? palette.line : flowColour(brush, route);
    context.beginPath();
    context.moveTo(...from);
    context.bezierCurveTo(bend, from[1], bend, to[1], ...to);
    context.stroke();
  }
  context.globalAlpha = 1;
  for (const lane of layout.lanes) drawLane(brush, lane, subject, time);
  for (const host of layout.hosts) drawHost(brush, host, subject, time);
  drawMore(brush, layout, subject);
}

/** Least height of a wire whose queue has a box. */
const LEAST_BOXED = 8;

function drawLane(brush: Brush, lane: Lane, subject: Subject, time: number): void {
  const { context, palette } = brush;
  const { wire, queue } = lane;
  context.globalAlpha = 0.35;
  context.fillStyle = palette.line;
  context.fillRect(wire.x, wire.y, wire.width, wire.height);
  context.globalAlpha = 1;
  context.strokeStyle = palette.line;
  context.lineWidth = 1;
  context.beginPath();
  for (const y of [wire.y, wire.y + wire.height]) {
    context.moveTo(wire.x, Math.round(y) + 0.5);
    context.lineTo(wire.x + wire.width, Math.round(y) + 0.5);
  }
  context.stroke();
  if (!queue || !lane.carriesData || wire.height < LEAST_BOXED) return;
  drawBox(brush, lane, subject, time);
}

/** The box of a queue: closed where it is full, open if the limit is far away. */
function drawBox(brush: Brush, lane: Lane, subject: Subject, time: number): void {
  const { context, palette } = brush;
  if (!lane.queue) return;
  const { x, y, width, height } = lane.queue;
  const { isLimit } = capacity(subject, lane.link, time);
  const [back, front] = lane.isForward ? [x, x + width] : [x + width, x];
  context.strokeStyle = palette.quiet;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(back, y - 1);
  context.lineTo(front, y - 1);
  context.moveTo(back, y + height + 1);
  context.lineTo(front, y + height + 1);
  context.stroke();
  context.beginPath();
  context.lineWidth = isLimit ? 3 : 1;
  context.setLineDash(isLimit ? [] : [2, 4]);
  context.moveTo(back, y - 1.5);
  context.lineTo(back, y + height + 1.5);
  context.stroke();
  context.setLineDash([]);
}

/** Writes what the links are, and what waits there. */
export function nameLanes(
  brush: Brush,
  layout: Layout,
  subject: Subject,
  time: number,
  waiting: ReadonlyMap<number, number>,
): void {
  const { palette } = brush;
  let hasAcks = false;
  for (const lane of layout.lanes) {
    if (!lane.isNamed) continue;
    if (lane.carriesData) nameLane(brush, lane, subject, time, waiting.get(lane.link) ?? 0);
    else if (!hasAcks) write(brush, "ACKs", lane.wire.x + 6, lane.wire.y - 6, palette.quiet);
    hasAcks ||= !lane.carriesData;
  }
}

function nameLane(brush: Brush, lane: Lane, subject: Subject, time: number, count: number): void {
  const { context, palette } = brush;
  const { wire, queue } = lane;
  const link = subject.network.links[lane.link];
  if (!link) return;
  const size = brush.isNarrow ? 11 : 13;
  const top = (queue ?? wire).y - 8;
  const left = Math.min(wire.x, queue?.x ?? wire.x);
  const end = Math.max(wire.x + wire.width, queue ? queue.x + queue.width : 0);
  let used = left;
  if (queue) {
    const { packets, isLimit } = capacity(subject, lane.link, time);
    const waits = count.toLocaleString("en");
    const room = isLimit ? ` of ${packets.toLocaleString("en")}` : "";
    const ink = count >= packets && isLimit ? palette.drop : palette.ink;
    const longest =
      queue.width > 170 ? `queue: ${waits}${room} packets` : `queue ${waits}${room}`;
    context.font = `600 ${size}px system-ui, sans-serif`;
    const isShort = (text: string) => left + context.measureText(text).width <= end;
    const label = [longest, `${waits}${room}`].find(isShort) ?? waits;
    write(brush, label, left, top, ink, "left", "600", size);
    used += context.measureText(label).width + 12;
  }
  const rate = rateAt(link.service, time) ?? link.rate;
  const delay = timeText(link.delay / 1e9);
  const figures = rate === null ? delay : `${rateText(rate)}, ${delay}`;
  const x = Math.max(used, wire.x + 6);
  context.font = `${size}px system-ui, sans-serif`;
  const fits = (text: string) => x + context.measureText(text).width <= end;
  const text = [`${link.name}  ${figures}`, figures, delay].find(fits);
  if (text) write(brush, text, x, top, palette.quiet, "left", "", size);
}

/** Room beside the texts of a host. */
const EDGES = 16;

function drawHost(brush: Brush, host: Host, subject: Subject, time: number): void {
  const { context, palette } = brush;
  const { x, y, width, height } = host.box;
  const route = subject.network.routes[host.route];
  const colour = flowColour(brush, host.route);
  context.fillStyle = colour;
  context.globalAlpha = 0.14;
  context.fillRect(x, y, width, height);
  context.globalAlpha = 1;
  context.fillRect(host.isSender ? x : x + width - 4, y, 4, height);
  if (!route || height < 9) return;
  const size = Math.min(13, height - 4);
  const baseline = y + height / 2 + size * 0.36;
  const { cwnd, inflight } = windowOf(subject, host.route, time / 1e9);
  context.font = `${size}px system-ui, sans-serif`;
  const written = `${Math.round(inflight)} / ${Math.round(cwnd)}`;
  const needed = context.measureText(`${route.name}  ${written}`).width + EDGES;
  const hasWindow = host.isSender && Number.isFinite(cwnd) && needed <= width;
  const text = hasWindow ? written : "";
  const name = hasWindow ? route.name : fitted(context, route.name, width - EDGES);
  write(
    brush,
    name,
    host.isSender ? x + 9 : x + width - 9,
    baseline,
    palette.ink,
    host.isSender ? "left" : "right",
    "",
    size,
  );
  if (text) write(brush, text, x + width - 5, baseline, palette.quiet, "right", "", size);
}

/** Characters of the end of a name that tell it from others. */
const NAME_END = 4;

/** A text that is cut in its middle if there is no room for all of it. */
function fitted(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  for (let start = text.length - NAME_END - 1; start > 0; start--) {
    const cut = `${text.slice(0, start)}…${text.slice(-NAME_END)}`;
    if (context.measureText(cut).width <= room) return cut;
  }
  return text.slice(-NAME_END);
}

function drawMore(brush: Brush, layout: Layout, { network }: Subject): void {
  const shown = new Set(layout.hosts.map(({ route }) => route)).size;
  const more = network.routes.length - shown;
  const { palette } = brush;
  const size = brush.isNarrow ? 11 : 13;
  write(
    brush,
    brush.isNarrow ? "senders" : "sender: inflight / cwnd",
    0,
    14,
    palette.quiet,
    "left",
    "",
    size,
  );
  write(
    brush,
    brush.isNarrow ? "receivers" : "receiver",
    layout.width,
    14,
    palette.quiet,
    "right",
    "",
    size,
  );
  if (more > 0)
    write(brush, `and ${more} more`, 0, layout.height - 6, palette.quiet, "left", "", size);
}
