import type { Detail, Engine, RunResult } from "./engine/contract";
import { Superseded } from "./engine/contract";
import type { Files, Resolved, Resolver, Scenario } from "./resolver/contract";
import { type Signal, signal } from "./signal";

/** All that the parts of the page share. Each part is a function `mount(place, laboratory)`. */
export interface Laboratory {
  readonly engine: Engine;
  readonly resolver: Resolver;
  /**
   * The scenario that is shown, with its plan: a `Preset` if it is one, unchanged. It is set just
   * before `run`; a part that needs both watches `run`.
   */
  readonly resolved: Signal<Resolved | null>;
  readonly run: Signal<RunResult | null>;
  /** Packets and decisions around the time shown; null while they are not there. */
  readonly detail: Signal<Detail | null>;
  /** The last thing that went wrong: one sentence. */
  readonly problem: Signal<string | null>;
  /** The last thing that was done and is not to be seen otherwise, such as a copy: one sentence. */
  readonly notice: Signal<string | null>;
  /** Share of the run that is being made, 0 to 1; null: none is. */
  readonly progress: Signal<number | null>;
  /** Simulated time that is shown, s. */
  readonly now: Signal<number>;
  readonly playing: Signal<boolean>;
  /** Simulated seconds per second. */
  readonly speed: Signal<number>;
  /** Index of the flow that the panels show, in `run.flows`. */
  readonly flow: Signal<number>;
  /** A capture that was dropped on the page or chosen. */
  readonly capture: Signal<File | null>;
  /** Resolves a scenario, runs it, and adds it to the history of the page. */
  show(scenario: Scenario, files: Files): Promise<void>;
  /**
   * Runs a scenario that has its plan already, and adds it to the history of the page. `now` is the
   * time to show, s; the time shown stays if it is not given.
   */
  open(resolved: Resolved, now?: number): Promise<void>;
}

export function createLaboratory(engine: Engine, resolver: Resolver): Laboratory {
  const resolvedNow = signal<Resolved | null>(null);
  const run = signal<RunResult | null>(null);
  const detail = signal<Detail | null>(null);
  const problem = signal<string | null>(null);
  const notice = signal<string | null>(null);
  const progress = signal<number | null>(null);
  const now = signal(0);
  const playing = signal(false);
  const flow = signal(0);
  let latest = 0;

  /** Does the newest of the things that were asked for; an older one that ends later is left. */
  async function newest(work: (isNewest: () => boolean) => Promise<void>): Promise<void> {
    const ticket = ++latest;
    const isNewest = () => ticket === latest;
    problem.set(null);
    try {
      await work(isNewest);
    } catch (error) {
      if (error instanceof Superseded || !isNewest()) return;
      problem.set(error instanceof Error ? error.message : String(error));
    } finally {
      if (isNewest()) progress.set(null);
    }
  }

  async function make(resolved: Resolved, isNewest: () => boolean, at?: number): Promise<void> {
    progress.set(0);
    const result = await engine.run(resolved.plan, (share) => {
      if (isNewest()) progress.set(share);
    });
    if (!isNewest()) return;
    detail.set(null);
    if (flow.get() >= result.flows.length) flow.set(0);
    now.set(Math.min(at ?? now.get(), result.endTime));
    resolvedNow.set(resolved);
    run.set(result);
  }

  return {
    engine,
    resolver,
    resolved: resolvedNow,
    run,
    detail,
    problem,
    notice,
    progress,
    now,
    playing,
    speed: signal(1),
    flow,
    capture: signal<File | null>(null),
    show: (scenario, files) =>
      newest(async (isNewest) => {
        const resolved = await resolver.resolve(scenario, files);
        if (isNewest()) await make(resolved, isNewest);
      }),
    open: (resolved, at) => newest((isNewest) => make(resolved, isNewest, at)),
  };
}
