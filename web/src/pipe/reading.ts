import type { Table, Values } from "../engine/contract";
import { DISCIPLINES } from "../traits";
import type { Network } from "./network";
import { Fate, Packets, Trait } from "./packets";

/** Rows after which the reader lets others work. */
const ROWS_AT_ONCE = 4000;

/** Packets of a link as they are read. */
interface Open {
  /** All packets, in the order of their arrival; those from before the window come apart. */
  readonly all: number[];
  readonly before: number[];
  /** By flow and direction: packets whose end has not been seen. */
  readonly pending: Map<number, number[]>;
  /** Packets whose mark or loss is recorded just before they enter. */
  readonly announced: { row: number; event: string }[];
}

export interface Read {
  readonly packets: Packets;
  /** By link: packets in the order of their arrival. */
  readonly byLink: readonly (readonly number[])[];
}

function column(table: Table, name: string): Values {
  return table.columns[name]?.values ?? new Float64Array();
}

/**
 * Makes packets of the rows of a table `packets`. It gives way now and then, so that a page goes on
 * meanwhile.
 */
export function* read(table: Table, network: Network): Generator<void, Read> {
  const packets = new Packets();
  const links: Open[] = network.links.map(() => ({
    all: [],
    before: [],
    pending: new Map(),
    announced: [],
  }));
  const times = column(table, "time_ns");
  const points = column(table, "point");
  const places = column(table, "where");
  const events = column(table, "event");
  const flows = column(table, "flow");
  const connections = column(table, "connection");
  const isAck = column(table, "is_ack");
  const seqs = column(table, "seq");
  const lengths = column(table, "length");
  const acks = column(table, "ack");
  const sizes = column(table, "wire_size");
  const ecns = column(table, "ecn");
  const atLink = table.columns.point?.names.indexOf("link") ?? -1;
  const names = table.columns.event?.names ?? [];
  const resent = new Retransmissions(network);
  const isGateAt = (row: number): boolean =>
    DISCIPLINES[network.links[at(places, row)]?.qdisc ?? ""]?.keepsWaiting ?? false;

  const at = (values: Values, row: number): number => values[row] as number;
  const key = (row: number): number => at(flows, row) * 2 + at(isAck, row);
  const isSame = (id: number, row: number): boolean =>
    packets.seq[id] === at(seqs, row) &&
    packets.length[id] === at(lengths, row) &&
    packets.ack[id] === at(acks, row) &&
    packets.connection[id] === at(connections, row);

  function make(row: number, entered: number): number {
    const id = packets.add();
    packets.link[id] = at(places, row);
    packets.route[id] = at(flows, row);
    packets.connection[id] = at(connections, row);
    packets.seq[id] = at(seqs, row);
    packets.length[id] = at(lengths, row);
    packets.ack[id] = at(acks, row);
    packets.size[id] = at(sizes, row);
    packets.ecn[id] = at(ecns, row);
    packets.entered[id] = entered;
    if (at(isAck, row)) packets.traits[id] = Trait.Ack;
    if (resent.tell(id, packets))
      packets.traits[id] = (packets.traits[id] ?? 0) | Trait.Retransmission;
    return id;
  }
  function pend(link: Open, row: number, id: number): void {
    const pending = link.pending.get(key(row));
    if (pending) pending.push(id);
    else link.pending.set(key(row), [id]);
  }
  /** The packet of a row that waits or travels; the latest one with `isLast`. */
  function find(link: Open, row: number, isLast = false): number {
    const pending = link.pending.get(key(row)) ?? [];
    return isLast
      ? pending.findLastIndex((id) => isSame(id, row))
      : pending.findIndex((id) => isSame(id, row));
  }
  function take(link: Open, row: number): number | null {
    const place = find(link, row);
    const pending = link.pending.get(key(row));
    if (place < 0 || !pending) return null;
    return pending.splice(place, 1)[0] ?? null;
  }
  /** A packet that entered before the window. */
  function earlier(link: Open, row: number): number {
    const id = make(row, Number.NEGATIVE_INFINITY);
    link.before.push(id);
    return id;
  }

  function enter(link: Open, row: number): void {
    const time = at(times, row);
    const id = make(row, time);
    link.all.push(id);
    let isLost = false;
    for (const news of link.announced) {
      if (at(times, news.row) !== time || key(news.row) !== key(row) || !isSame(id, news.row)) {
        continue;
      }
      if (news.event === "mark") packets.marked[id] = time;
      else isLost = true;
    }
    link.announced.length = 0;
    if (isLost) packets.fate[id] = Fate.LostOnWire;
    else pend(link, row, id);
  }

  function lose(link: Open, row: number): void {
    const id = take(link, row);
    if (id === null) {
      link.announced.push({ row, event: "drop-wire" });
      return;
    }
    packets.fate[id] = Fate.LostOnWire;
    packets.left[id] = at(times, row);
    packets.traits[id] = (packets.traits[id] as number) | Trait.StartKnown;
  }

  function drop(link: Open, row: number, isPoliced: boolean): void {
    const time = at(times, row);
    const isGate = isPoliced || isGateAt(row);
    const waiting = isGate ? null : take(link, row);
    const id = waiting ?? make(row, time);
    if (waiting === null) link.all.push(id);
    packets.fate[id] = waiting === null ? Fate.Refused : Fate.DroppedFromQueue;
    packets.left[id] = time;
  }

  for (let row = 0; row < table.rows; row++) {
    if (row % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) yield;
    const link = links[at(places, row)];
    if (at(points, row) !== atLink || link === undefined) continue;
    const event = names[at(events, row)] ?? "";
    switch (event) {
      case "send":
        enter(link, row);
        break;
      case "receive": {
        const id = take(link, row) ?? earlier(link, row);
        packets.arrived[id] = at(times, row);
        packets.traits[id] = (packets.traits[id] as number) | Trait.ArrivalKnown;
        break;
      }
      case "mark": {
        const isGate = isGateAt(row);
        const place = find(link, row, isGate);
        const id = link.pending.get(key(row))?.[place];
        if (id === undefined) link.announced.push({ row, event });
        else packets.marked[id] = at(times, row);
        break;
      }
      case "duplicate": {
        const id = make(row, at(times, row));
        packets.traits[id] = (packets.traits[id] as number) | Trait.Copy;
        link.all.push(id);
        pend(link, row, id);
        break;
      }
      case "drop-wire":
        lose(link, row);
        break;
      default:
        drop(link, row, event === "drop-policed");
    }
  }
  return { packets, byLink: links.map(({ before, all }) => [...before, ...all]) };
}

/** Which data packets are sent again: those whose bytes had been sent when they entered the path. */
class Retransmissions {
  readonly #first: readonly (number | undefined)[];
  /** By connection: the end of the data that has entered the path. */
  readonly #ends = new Map<string, number>();
  readonly #resent = new Set<string>();

  constructor(network: Network) {
    this.#first = network.routes.map(({ path }) => path[0]);
  }

  tell(id: number, packets: Packets): boolean {
    const length = packets.length[id] as number;
    if (length === 0 || packets.has(id, Trait.Ack)) return false;
    const route = packets.route[id] as number;
    const connection = `${route}.${packets.connection[id]}`;
    const seq = packets.seq[id] as number;
    const packet = `${connection}.${seq}`;
    if (packets.link[id] !== this.#first[route]) return this.#resent.has(packet);
    const end = this.#ends.get(connection) ?? 0;
    if (seq >= end) {
      this.#ends.set(connection, seq + length);
      return false;
    }
    this.#resent.add(packet);
    return true;
  }
}
