import type { Files, Json, Resolved, Resolver, Scenario } from "./contract";

/** The arguments of a question, by the names that ackclock's module `asking` gives them. */
export type Arguments = Readonly<Record<string, Json>>;

/** A resolver that puts each question to ackclock's module `asking`, wherever that runs. */
export abstract class AskingResolver implements Resolver {
  abstract readonly ready: Promise<void>;
  abstract onProgress(tell: (share: number) => void): void;
  abstract end(): void;
  /** The answer to a question; a wrong scenario rejects with a `ScenarioProblem`. */
  protected abstract ask<T extends Json = string>(question: string, given: Arguments): Promise<T>;

  async resolve(scenario: Scenario, files: Files): Promise<Resolved> {
    return { scenario, files, plan: await this.ask("resolve", { scenario, files }) };
  }

  parse(toml: string, files: Files, file = "scenario.toml"): Promise<Scenario> {
    return this.ask<Scenario>("parse", { toml, files, file });
  }

  toToml(scenario: Scenario, files: Files = {}): Promise<string> {
    return this.ask("toToml", { scenario, files });
  }

  toPython(scenario: Scenario, files: Files = {}): Promise<string> {
    return this.ask("toPython", { scenario, files });
  }

  summary(scenario: Scenario, files: Files): Promise<string> {
    return this.ask("summary", { scenario, files });
  }
}
