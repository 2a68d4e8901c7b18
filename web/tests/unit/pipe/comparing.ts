import type { RunResult } from "../../../src/engine/contract";
import { journal, queueLength } from "../../../src/pipe/journal";
import { finished } from "../finished";

/** Times are recorded in ns, rounded down: samples so near to an event may be before or after. */
const NEAR = 3;

export interface Compared {
  readonly compared: number;
  readonly different: number;
  /** Longest queue that a sample has, packets. */
  readonly longest: number;
}

/** Compares the queue that the picture shows with samples of a link, `most` at most. */
export function compareQueues(
  plan: string,
  result: RunResult,
  link: number,
  most = Number.POSITIVE_INFINITY,
): Compared {
  const made = finished(journal(result.tables.packets, plan, result.tables.link_samples));
  const { time, link: links, queue_packets: queues } = result.tables.link_samples.columns;
  // Each of several arrivals at one time has a row: the last one tells what waits then.
  const lengths = new Map<number, number>();
  for (let row = 0; row < result.tables.link_samples.rows; row++) {
    if (links?.values[row] !== link) continue;
    lengths.set(time?.values[row] as number, queues?.values[row] as number);
  }
  const stride = Math.max(1, Math.ceil(lengths.size / most));
  const chosen = [...lengths].filter((_, index) => index % stride === 0);
  let different = 0;
  let longest = 0;
  for (const [at, expected] of chosen) {
    const around = [-NEAR, 0, NEAR].map((shift) => queueLength(made, link, at * 1e9 + shift));
    if (!around.includes(expected)) different++;
    longest = Math.max(longest, expected);
  }
  return { compared: chosen.length, different, longest };
}
