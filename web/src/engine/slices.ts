/** A run that goes on event by event; `wasm.ts` has the real one. */
export interface Advancing {
  /** Simulated time after so many events, s; below 0: the run is over. */
  advance(events: number): number;
}

export interface Slices {
  /** Simulated time at which to stop, s. */
  readonly until?: number;
  /** Whether anybody waits for the run; asked between two slices. */
  isWanted(): boolean;
  /** Called after each slice with the simulated time, s. */
  tell(now: number): void;
}

const FIRST_EVENTS = 2000;
const AIM_MS = 8;

/** Waits for the messages that have arrived. A timer would take 4 ms. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/**
 * Advances a run in slices of some milliseconds, and lets messages in between them. Gives the time
 * that the run has come to, s; below 0: it is over; null: nobody wants it any more.
 */
export async function advance(run: Advancing, slices: Slices): Promise<number | null> {
  const { until = Number.POSITIVE_INFINITY, isWanted, tell } = slices;
  let events = FIRST_EVENTS;
  let began = performance.now();
  for (;;) {
    const now = run.advance(Math.ceil(events));
    if (now < 0 || now >= until) return now;
    tell(now);
    // The next slice takes about the time aimed at, and changes by a factor of 4 at most.
    const share = AIM_MS / Math.max(performance.now() - began, 0.01);
    events *= Math.min(Math.max(share, 0.25), 4);
    await turn();
    if (!isWanted()) return null;
    began = performance.now();
  }
}
