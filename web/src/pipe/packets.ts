/** What becomes of a packet on a link. */
export const Fate = {
  /** It reaches the far end, or is still on the way where the window ends. */
  Delivered: 0,
  /** The queue or the policer did not let it in. */
  Refused: 1,
  /** The queue dropped it after it had waited. */
  DroppedFromQueue: 2,
  /** It left, and was lost on the wire. */
  LostOnWire: 3,
} as const;

/** Bits of `Packets.traits`. */
export const Trait = {
  Ack: 1,
  Retransmission: 2,
  Copy: 4,
  ArrivalKnown: 8,
  StartKnown: 16,
} as const;

/** Number of packets for which there is room first. */
const FIRST_ROOM = 4096;

/** Packets on links, a row for each packet and link; times in ns. */
export class Packets {
  count = 0;
  #room = FIRST_ROOM;
  link = new Uint32Array(FIRST_ROOM);
  route = new Uint32Array(FIRST_ROOM);
  connection = new Uint32Array(FIRST_ROOM);
  traits = new Uint8Array(FIRST_ROOM);
  fate = new Uint8Array(FIRST_ROOM);
  seq = new Float64Array(FIRST_ROOM);
  length = new Uint32Array(FIRST_ROOM);
  ack = new Float64Array(FIRST_ROOM);
  size = new Uint32Array(FIRST_ROOM);
  ecn = new Uint8Array(FIRST_ROOM);
  /** Arrival at the link; minus infinity: before the window. */
  entered = new Float64Array(FIRST_ROOM);
  /** When it left the queue: its first bit was sent, or it was dropped. */
  left = new Float64Array(FIRST_ROOM);
  /** When its last bit was sent. */
  sent = new Float64Array(FIRST_ROOM);
  /** When it reached the far end; infinity: it was lost. */
  arrived = new Float64Array(FIRST_ROOM);
  /** When it was marked CE here; infinity: it was not. */
  marked = new Float64Array(FIRST_ROOM);

  add(): number {
    if (this.count === this.#room) this.#grow();
    const index = this.count++;
    this.marked[index] = Number.POSITIVE_INFINITY;
    this.arrived[index] = Number.POSITIVE_INFINITY;
    this.left[index] = Number.POSITIVE_INFINITY;
    this.sent[index] = Number.POSITIVE_INFINITY;
    return index;
  }

  #grow(): void {
    this.#room *= 2;
    const grown = <T extends Float64Array | Uint32Array | Uint8Array>(from: T): T => {
      const to = new (from.constructor as new (length: number) => T)(this.#room);
      to.set(from);
      return to;
    };
    this.link = grown(this.link);
    this.route = grown(this.route);
    this.connection = grown(this.connection);
    this.traits = grown(this.traits);
    this.fate = grown(this.fate);
    this.seq = grown(this.seq);
    this.length = grown(this.length);
    this.ack = grown(this.ack);
    this.size = grown(this.size);
    this.ecn = grown(this.ecn);
    this.entered = grown(this.entered);
    this.left = grown(this.left);
    this.sent = grown(this.sent);
    this.arrived = grown(this.arrived);
    this.marked = grown(this.marked);
  }

  has(index: number, trait: number): boolean {
    return ((this.traits[index] as number) & trait) !== 0;
  }
}
