import type { Resolved, Resolver, Scenario } from "./contract";
import { ScenarioProblem } from "./contract";

const WAY =
  "a scenario cannot be changed in this page, which has no Python: " +
  "ackclock live FILE --serve shows it with one";

/** Stands for the resolver in a page that is one file: every question is a problem. */
export class AbsentResolver implements Resolver {
  readonly ready = Promise.reject(new ScenarioProblem(WAY));

  constructor() {
    // Whoever asks hears of it.
    this.ready.catch(() => undefined);
  }

  onProgress(): void {}

  async resolve(): Promise<Resolved> {
    throw new ScenarioProblem(WAY);
  }

  async parse(): Promise<Scenario> {
    throw new ScenarioProblem(WAY);
  }

  async toToml(): Promise<string> {
    throw new ScenarioProblem(WAY);
  }

  async toPython(): Promise<string> {
    throw new ScenarioProblem(WAY);
  }

  async summary(): Promise<string> {
    throw new ScenarioProblem(WAY);
  }
}
