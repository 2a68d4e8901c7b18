import type { Network } from "./network";
import { place } from "./ranks";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A link in the picture, in CSS pixels. */
export interface Lane {
  readonly link: number;
  /** Whether packets cross it from left to right. */
  readonly isForward: boolean;
  readonly wire: Box;
  /** Box of the queue, before the wire; null: the link has no rate, and nothing queues. */
  readonly queue: Box | null;
  /** Whether it carries data of any route; else only ACKs. */
  readonly carriesData: boolean;
  /** Whether there is room above it for its name. */
  readonly isNamed: boolean;
}

/** A host with the end of some routes. */
export interface Host {
  readonly route: number;
  readonly isSender: boolean;
  readonly box: Box;
}

export interface Line {
  /** The route that goes this way; null: several do. */
  readonly route: number | null;
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly lanes: readonly Lane[];
  readonly hosts: readonly Host[];
  readonly lines: readonly Line[];
  readonly isNarrow: boolean;
}

const NARROW = 460;
/** Width of a host: a share of the picture, within bounds. */
const HOST = { share: 0.17, least: 56, most: 132 } as const;
const TOP = 34;
const MOST_HOSTS = 12;
const MOST_LINES = 200;
/** Height of the wire of a link with a rate, and of one without. */
const WIRE = 64;
const THIN = 18;
const GAP = 20;
/** Distance of two wires, and the least one at which their names fit between them. */
const THIN_STEP = 46;
const THIN_NAMED = 33;
const WIRE_NAMED = 56;

/** Height in CSS pixels that a picture of a network needs. */
export function heightOf(network: Network, width: number): number {
  const hosts = Math.min(MOST_HOSTS, network.routes.length);
  const base = width < NARROW ? 232 : 276;
  const { placed } = place(network);
  const isTwoWay = placed.some(({ link, isForward }) => !isForward && carries(network, link));
  return Math.max(base, 110 + hosts * 20) + (isTwoWay ? 70 : 0);
}

function carries(network: Network, link: number): boolean {
  return network.routes.some(({ path }) => path.includes(link));
}

/** Places links, hosts and the lines between them. `queued`: links at which packets ever wait. */
export function layOut(network: Network, width: number, queued: ReadonlySet<number>): Layout {
  const height = heightOf(network, width);
  const isNarrow = width < NARROW;
  const { placed, columns } = place(network);
  const isTwoWay = placed.some(({ link, isForward }) => !isForward && carries(network, link));
  const hostWidth = Math.max(HOST.least, Math.min(HOST.most, width * HOST.share));
  const left = hostWidth + GAP;
  const right = width - hostWidth - GAP;
  const split = TOP + (height - TOP) * (isTwoWay ? 0.5 : 0.7);
  const spans = columnSpans(network, placed, columns, left, right);
  const lanes: Lane[] = [];
  for (const isForward of [true, false]) {
    const [top, bottom] = isForward ? [TOP, split] : [split, height - 8];
    for (let column = 0; column < columns; column++) {
      const here = placed.filter((it) => it.column === column && it.isForward === isForward);
      lanes.push(
        ...columnLanes(network, here, spans[column] ?? [left, right], top, bottom, queued),
      );
    }
  }
  const hosts = placeHosts(network, lanes, width, height, hostWidth, split);
  return { width, height, lanes, hosts, lines: connect(network, lanes, hosts), isNarrow };
}

/** Left and right end of each column: columns with queues and long delays are wider. */
function columnSpans(
  network: Network,
  placed: readonly { link: number; column: number }[],
  columns: number,
  left: number,
  right: number,
): [number, number][] {
  const delays = Array.from({ length: columns }, () => 0);
  const weights = Array.from({ length: columns }, () => 0.3);
  for (const { link, column } of placed) {
    const { rate, delay } = network.links[link] ?? { rate: null, delay: 0 };
    delays[column] = Math.max(delays[column] ?? 0, delay);
    if (rate !== null) weights[column] = 1;
  }
  const longest = Math.max(1, ...delays);
  const shares = weights.map(
    (weight, column) => weight + 0.5 * ((delays[column] ?? 0) / longest),
  );
  const whole = shares.reduce((sum, share) => sum + share, 0);
  const room = right - left - GAP * (columns - 1);
  let x = left;
  return shares.map((share) => {
    const from = x;
    const to = from + (room * share) / whole;
    x = to + GAP;
    return [from, to];
  });
}

function columnLanes(
  network: Network,
  placed: readonly { link: number; isForward: boolean }[],
  [from, to]: readonly [number, number],
  top: number,
  bottom: number,
  queued: ReadonlySet<number>,
): Lane[] {
  const middle = (top + bottom) / 2;
  const isThick = (link: number) => network.links[link]?.rate !== null && carries(network, link);
  const thick = placed.filter(({ link }) => isThick(link));
  const thin = placed.filter(({ link }) => !isThick(link));
  const thickStep = Math.min(WIRE + 40, (bottom - top) / Math.max(1, thick.length));
  const lane = (
    { link, isForward }: { link: number; isForward: boolean },
    y: number,
    size: number,
    isNamed: boolean,
  ): Lane => {
    const length = to - from;
    const data = carries(network, link);
    const hasQueue = network.links[link]?.rate !== null && (data || queued.has(link));
    const waiting = hasQueue ? length * (data ? 0.36 : 0.16) : 0;
    const x = isForward ? from + waiting : from;
    const wire = { x, y: y - size / 2, width: length - waiting, height: size };
    const extra = data && size > 20 ? 8 : 0;
    const box = {
      x: isForward ? from : to - waiting,
      y: y - size / 2 - extra,
      width: waiting,
      height: size + 2 * extra,
    };
    return { link, isForward, wire, queue: hasQueue ? box : null, carriesData: data, isNamed };
  };
  const lanes = thick.map((it, at) => {
    const y = middle + (at - (thick.length - 1) / 2) * thickStep;
    return lane(it, y, Math.max(4, Math.min(WIRE, thickStep - 26)), thickStep > WIRE_NAMED);
  });
  const begin = thick.length === 0 ? top : middle + (thick.length * thickStep) / 2 - 6;
  const step = Math.min(THIN_STEP, (bottom - begin) / Math.max(1, thin.length));
  const first = thick.length === 0 ? middle - (step * (thin.length - 1)) / 2 : begin + step / 2;
  thin.forEach((it, at) => {
    const size = Math.max(2, Math.min(THIN, step - 3));
    lanes.push(lane(it, first + at * step, size, step > THIN_NAMED));
  });
  return lanes;
}

/** Where a lane begins and ends, in the direction of its packets. */
export function ends({ isForward, wire, queue }: Lane): {
  start: number;
  end: number;
  y: number;
} {
  const first = Math.min(wire.x, queue?.x ?? wire.x);
  const last = Math.max(wire.x + wire.width, queue ? queue.x + queue.width : 0);
  const y = wire.y + wire.height / 2;
  return isForward ? { start: first, end: last, y } : { start: last, end: first, y };
}

function placeHosts(
  network: Network,
  lanes: readonly Lane[],
  width: number,
  height: number,
  hostWidth: number,
  split: number,
): Host[] {
  const byLink = new Map(lanes.map((lane) => [lane.link, lane]));
  const shown = network.routes.slice(0, MOST_HOSTS);
  const top = TOP - 8;
  const room = Math.max(split, height - 60) - top;
  const step = Math.min(shown.length > 4 ? 30 : 44, room / shown.length);
  const size = Math.min(shown.length > 4 ? 22 : 30, step - 4);
  const middle = top + room / 2;
  return shown.flatMap((route, index) => {
    const y = middle + (index - (shown.length - 1) / 2) * step - size / 2;
    const isForward = byLink.get(route.path[0] ?? -1)?.isForward ?? true;
    const host = (isLeft: boolean, isSender: boolean): Host => ({
      route: index,
      isSender,
      box: { x: isLeft ? 0 : width - hostWidth, y, width: hostWidth, height: size },
    });
    return [host(isForward, true), host(!isForward, false)];
  });
}

function connect(network: Network, lanes: readonly Lane[], hosts: readonly Host[]): Line[] {
  const byLink = new Map(lanes.map((lane) => [lane.link, lane]));
  const lines = new Map<string, Line>();
  const add = (route: number, from: Line["from"], to: Line["to"]): void => {
    const key = `${from} ${to}`;
    const known = lines.get(key);
    if (known) lines.set(key, { ...known, route: known.route === route ? route : null });
    else if (lines.size < MOST_LINES) lines.set(key, { route, from, to });
  };
  const side = ({ box }: Host): readonly [number, number] => [
    box.x === 0 ? box.width : box.x,
    box.y + box.height / 2,
  ];
  network.routes.forEach(({ path, reversePath }, route) => {
    const sender = hosts.find((host) => host.route === route && host.isSender);
    const receiver = hosts.find((host) => host.route === route && !host.isSender);
    for (const [way, from, to] of [
      [path, sender, receiver],
      [reversePath, receiver, sender],
    ] as const) {
      const points = way.flatMap((link) => byLink.get(link) ?? []).map(ends);
      points.forEach((point, at) => {
        const next = points[at + 1];
        if (next) add(route, [point.end, point.y], [next.start, next.y]);
      });
      const [first, last] = [points[0], points.at(-1)];
      if (from && first) add(route, side(from), [first.start, first.y]);
      if (to && last) add(route, [last.end, last.y], side(to));
    }
  });
  return [...lines.values()];
}
