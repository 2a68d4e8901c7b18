import type { Detail, RunResult, Table, TableName } from "./contract";
import { advance } from "./slices";
import { Instance } from "./wasm";

/** Whether anybody waits for the answer. */
type IsWanted = () => boolean;

const TABLES: readonly TableName[] = [
  "flow_samples",
  "link_samples",
  "internals",
  "packets",
  "decisions",
  "transfers",
  "datagrams",
  "frames",
];
const BETWEEN_REPORTS_MS = 50;

/** Runs a plan to its end. Null: it was ended, because nobody wanted it any more. */
export async function run(
  module: WebAssembly.Module,
  plan: string,
  isWanted: IsWanted,
  tell: (share: number) => void,
): Promise<RunResult | null> {
  const began = performance.now();
  const instance = new Instance(module);
  instance.start(plan);
  const duration = (JSON.parse(plan) as { duration_ps: number }).duration_ps / 1e12;
  let reported = began;
  const end = await advance(instance, {
    isWanted,
    tell(now) {
      if (performance.now() - reported < BETWEEN_REPORTS_MS) return;
      reported = performance.now();
      tell(now / duration);
    },
  });
  if (end === null) return null;
  const finished = instance.finish();
  const tables = Object.fromEntries(TABLES.map((name) => [name, instance.table(name)]));
  return {
    digest: finished.digest,
    endTime: finished.end_time,
    events: finished.events,
    flows: finished.flows,
    links: finished.links,
    streams: finished.streams,
    sessions: finished.sessions,
    internalNames: finished.internal_names,
    recordedUntil: finished.recorded_until,
    tables: tables as Record<TableName, Table>,
    wallTime: (performance.now() - began) / 1000,
  };
}

/** A run in detail, as far as it has come. */
interface Going {
  readonly instance: Instance;
  readonly plan: string;
  /** Rows before this time are gone, s. */
  forgotten: number;
  /** Simulated time, s; below 0: the run is over. */
  now: number;
}

/** Gives parts of runs in detail; a part after the last one of the same plan goes on from there. */
export class Details {
  #going: Going | null = null;

  /** The part of a run from a time up to another, s. Null: nobody wanted it any more. */
  async part(
    module: WebAssembly.Module,
    plan: string,
    from: number,
    to: number,
    isWanted: IsWanted,
  ): Promise<Detail | null> {
    try {
      const going = this.#begin(module, plan, from);
      const { instance } = going;
      instance.forgetBefore(from);
      going.forgotten = from;
      if (going.now >= 0 && going.now < to) {
        const end = await advance(instance, {
          until: to,
          isWanted,
          tell(now) {
            going.now = now;
            instance.forgetBefore(from);
          },
        });
        // Another request may have taken the run over.
        if (end === null) return null;
        going.now = end;
      }
      return instance.window(from, to);
    } catch (error) {
      this.#going = null;
      throw error;
    }
  }

  #begin(module: WebAssembly.Module, plan: string, from: number): Going {
    if (this.#going?.plan === plan && from >= this.#going.forgotten) return this.#going;
    const instance = new Instance(module);
    instance.startInDetail(plan);
    this.#going = { instance, plan, forgotten: 0, now: 0 };
    return this.#going;
  }
}
