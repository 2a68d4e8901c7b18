/** What the resolver, Python in a worker, gives to the page. */

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/**
 * A scenario as its TOML file says it, key by key. An integer above 2^53 is `{"$integer": "..."}`.
 * Files that it names (a Mahimahi trace) are in `files`, by the path that it gives.
 */
export type Scenario = { readonly [key: string]: Json };
export type Files = Readonly<Record<string, string>>;

/** A scenario, its plan, and the page that it came from. */
export interface Resolved {
  readonly scenario: Scenario;
  readonly files: Files;
  /** The plan as JSON text, byte for byte that of the command line. */
  readonly plan: string;
}

/** A scenario is wrong: one sentence, as the command line prints it. */
export class ScenarioProblem extends Error {}

export interface Resolver {
  /** Settles when Python is there; until then questions wait. */
  readonly ready: Promise<void>;
  /** Tells what part of Python has been loaded, 0 to 1. */
  onProgress(tell: (share: number) => void): void;
  /** Frees what the resolver holds: nothing can be asked any more. */
  end(): void;
  resolve(scenario: Scenario, files: Files): Promise<Resolved>;
  /** Reads and checks a TOML file; `file` is its name in messages (default: scenario.toml). */
  parse(toml: string, files: Files, file?: string): Promise<Scenario>;
  /** The scenario as the TOML file that the command line runs. */
  toToml(scenario: Scenario, files?: Files): Promise<string>;
  /** The scenario as a few lines of Python, that run the same. */
  toPython(scenario: Scenario, files?: Files): Promise<string>;
  /** `summary.json` of the scenario's run, byte for byte that of the command line. */
  summary(scenario: Scenario, files: Files): Promise<string>;
}

/** A scenario that the page offers, resolved when the page was built: `presets/NAME.json`. */
export interface Preset extends Resolved {
  readonly name: string;
  readonly title: string;
  /** The preset's file, comments and all. */
  readonly toml: string;
}

/** `presets/index.json`: in the order of the lessons, then other scenarios. */
export interface PresetEntry {
  readonly name: string;
  readonly title: string;
  readonly isLesson: boolean;
}
