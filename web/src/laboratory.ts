import type { Detail, Engine, RunResult } from "./engine/contract";
import type { Files, Resolved, Resolver, Scenario } from "./resolver/contract";
import type { Signal } from "./signal";

/** What all parts of the page share. Each part is a function `mount(place, laboratory)`. */
export interface Laboratory {
  readonly engine: Engine;
  readonly resolver: Resolver;
  /** The scenario that is shown, with its plan. */
  readonly resolved: Signal<Resolved | null>;
  readonly run: Signal<RunResult | null>;
  /** Packets and decisions around the time shown; null while they are not there. */
  readonly detail: Signal<Detail | null>;
  /** The last thing that went wrong: one sentence. */
  readonly problem: Signal<string | null>;
  /** Simulated time that is shown, s. */
  readonly now: Signal<number>;
  readonly playing: Signal<boolean>;
  /** Simulated seconds per second. */
  readonly speed: Signal<number>;
  /** Index of the flow that the panels show, in `run.flows`. */
  readonly flow: Signal<number>;
  /** Resolves a scenario, runs it, and adds it to the history of the page. */
  show(scenario: Scenario, files: Files): Promise<void>;
}
