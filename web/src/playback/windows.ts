import type { Detail, RunResult } from "../engine/contract";
import { EngineError, Superseded } from "../engine/contract";
import type { Laboratory } from "../laboratory";
import { prepare } from "../pipe/journal";
import { type Network, readNetwork } from "../pipe/network";

/** Rows of packets that a window should have at most, and must not exceed. */
const WANTED_ROWS = 100_000;
const MOST_ROWS = 200_000;
/** Longest window, s. */
const LONGEST = 20;
/** Least time that a window must last while it is played, s: the next one is made meanwhile. */
const LEAST_PLAYED = 1.5;
/** Time after which a reader who moves through the run counts as having stopped, ms. */
const STILL = 90;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** A window that the engine is asked for. */
interface Job {
  readonly span: Span;
  readonly run: RunResult;
}

/** What is known of a run's details before they are asked for. */
export interface Size {
  /** Length of a window, s; 0: even a short one would have too many rows. */
  readonly length: number;
  /** How long before a window a packet may have been sent that still travels in it, s. */
  readonly lead: number;
  /** How long after a window the packets of its end arrive, s. */
  readonly tail: number;
}

function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** Sizes the windows of a run by its packet rate. */
export function sizeOf(run: RunResult, network: Network): Size {
  const seconds = Math.max(1e-6, ...run.links.map((link) => number(link.measured_time)));
  const rows = run.links.reduce(
    (sum, link) => sum + number(link.arrived_packets) + number(link.delivered_packets),
    0,
  );
  const rate = rows / seconds;
  const longestDelay = Math.max(0, ...network.links.map(({ delay }) => delay)) / 1e9;
  const rtt = Math.max(0, ...run.flows.map((flow) => number(flow.rtt_max)));
  const lead = Math.max(rtt, 4 * longestDelay) * 1.1 + 0.001;
  const tail = longestDelay * 1.5 + 0.001;
  const margin = (lead + tail) * rate;
  const wanted = Math.max(WANTED_ROWS, 2 * margin);
  if (wanted > MOST_ROWS) return { length: 0, lead, tail };
  return { length: Math.min(LONGEST, (wanted - margin) / Math.max(1, rate)), lead, tail };
}

/** Whether windows of a run last long enough at a speed to be played. */
export function canPlay({ length }: Size, speed: number, endTime: number): boolean {
  if (length === 0) return false;
  return length >= endTime || length / speed >= LEAST_PLAYED;
}

/** Keeps `laboratory.detail` right: the packets and decisions around the time that is shown. */
export class Windows {
  readonly #laboratory: Laboratory;
  #run: RunResult | null = null;
  #plan = "";
  #network: Network | null = null;
  #size: Size = { length: 0, lead: 0, tail: 0 };
  #wanted: Span | null = null;
  #asked: Job | null = null;
  /** The window that follows the one that is shown. */
  #next: Detail | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(laboratory: Laboratory) {
    this.#laboratory = laboratory;
  }

  /** The windows of a new run. */
  open(run: RunResult, plan: string): void {
    this.#run = run;
    this.#plan = plan;
    this.#network = readNetwork(plan);
    this.#size = sizeOf(run, this.#network);
    this.#next = null;
    this.#wanted = null;
    this.#laboratory.detail.set(null);
    this.update();
  }

  /** Whether single packets are shown at the present speed. */
  get isFine(): boolean {
    const { playing, speed } = this.#laboratory;
    if (!this.#run) return false;
    if (!playing.get()) return this.#size.length > 0;
    return canPlay(this.#size, speed.get(), this.#run.endTime);
  }

  /** Whether the time shown waits for its window. */
  get isWaiting(): boolean {
    return this.isFine && this.#asked !== null && !this.#covers(this.#laboratory.detail.get());
  }

  #covers(span: Span | null, time = this.#laboratory.now.get()): boolean {
    return span !== null && time >= span.from && time <= span.to;
  }

  #around(time: number, share: number): Span {
    const end = this.#run?.endTime ?? 0;
    const { length } = this.#size;
    const from = Math.max(0, Math.min(time - share * length, end - length));
    return { from, to: Math.min(end, from + length) };
  }

  /** Follows the time shown. */
  update(): void {
    const { detail, now, playing } = this.#laboratory;
    if (!this.#run) return;
    if (!this.isFine) {
      if (playing.get()) detail.set(null);
      return;
    }
    const shown = detail.get();
    if (this.#covers(shown)) {
      if (playing.get() && shown) this.#fetchNext(shown);
      return;
    }
    if (this.#next && this.#covers(this.#next)) {
      detail.set(this.#next);
      this.#next = null;
      return;
    }
    if (playing.get()) {
      this.#want(this.#around(now.get(), 0.05));
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.#covers(detail.get())) this.#want(this.#around(now.get(), 0.5));
    }, STILL);
  }

  #fetchNext(shown: Detail): void {
    const end = this.#run?.endTime ?? 0;
    const isLate = this.#laboratory.now.get() > (shown.from + shown.to) / 2;
    const isThere =
      this.#next !== null && this.#next.from >= shown.from && this.#next.to > shown.to;
    if (!isLate || shown.to >= end || isThere) return;
    this.#want(this.#around(shown.to, 0));
  }

  #want(span: Span): void {
    const run = this.#run;
    if (!run) return;
    const isSame = this.#asked?.span.from === span.from && this.#asked.span.to === span.to;
    if (this.#asked?.run !== run) void this.#fetch({ span, run });
    else if (!isSame) this.#wanted = span;
  }

  async #fetch(job: Job): Promise<void> {
    const { problem } = this.#laboratory;
    this.#asked = job;
    this.#wanted = null;
    try {
      const got = await this.#rows(job);
      if (this.#asked === job) await prepare(got, this.#plan, job.run);
      if (this.#asked === job) this.#show(got);
    } catch (error) {
      if (this.#asked !== job || error instanceof Superseded) return;
      if (!(error instanceof EngineError)) throw error;
      problem.set(
        `packets after ${job.span.from.toFixed(3)} s cannot be shown: ${error.message}`,
      );
    } finally {
      if (this.#asked === job) {
        this.#asked = null;
        if (this.#wanted) void this.#fetch({ span: this.#wanted, run: job.run });
      }
    }
  }

  #show(got: Detail): void {
    const { detail, playing } = this.#laboratory;
    if (this.#covers(got) || !playing.get()) detail.set(got);
    else this.#next = got;
  }

  /** All rows that a window needs: those after it too, and those of packets sent before it. */
  async #rows({ span, run }: Job): Promise<Detail> {
    const { lead, tail } = this.#size;
    const from = Math.max(0, span.from - lead);
    const to = Math.min(run.endTime, span.to) + tail;
    const got = await this.#laboratory.engine.detail(this.#plan, from, to);
    // A window whose table is full ends before.
    return { ...got, from: span.from, to: Math.min(span.to, got.to) };
  }
}
