import type { Counters, RunResult, Table, TableName } from "./contract";
import { Instance } from "./wasm";

export interface Request {
  readonly id: number;
  readonly module: WebAssembly.Module;
  readonly plan: string;
}
export type Reply =
  | { readonly id: number; readonly progress: number }
  | { readonly id: number; readonly error: string }
  | { readonly id: number; readonly run: RunResult };

const EVENTS_BETWEEN_LOOKS = 100_000;
const TABLES: readonly TableName[] = [
  "flow_samples",
  "link_samples",
  "internals",
  "packets",
  "transfers",
  "datagrams",
  "frames",
];

function duration(plan: string): number {
  return (JSON.parse(plan) as { duration_ps: number }).duration_ps / 1e12;
}

function run({ id, module, plan }: Request): void {
  const began = performance.now();
  const instance = new Instance(module);
  const whole = duration(plan);
  instance.start(plan);
  for (let now = 0; now >= 0; now = instance.advance(EVENTS_BETWEEN_LOOKS)) {
    postMessage({ id, progress: now / whole } satisfies Reply);
  }
  const counters = instance.finish();
  const tables = {} as Record<TableName, Table>;
  for (const name of TABLES) tables[name] = instance.table(name);
  const result: RunResult = {
    digest: "",
    endTime: counters.end_time as number,
    events: counters.events as number,
    flows: counters.flows as Counters[],
    links: counters.links as Counters[],
    streams: counters.streams as Counters[],
    sessions: counters.sessions as Counters[],
    internalNames: counters.internal_names as string[],
    tables,
    wallTime: (performance.now() - began) / 1000,
  };
  postMessage({ id, run: result } satisfies Reply);
}

self.addEventListener("message", ({ data }: MessageEvent<Request>) => {
  try {
    run(data);
  } catch (error: unknown) {
    const sentence = error instanceof Error ? error.message : String(error);
    postMessage({ id: data.id, error: sentence } satisfies Reply);
  }
});
