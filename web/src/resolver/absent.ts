import type { Resolved, Resolver, Scenario } from "./contract";
import { ScenarioProblem } from "./contract";

const WAY =
  "this page has no Python, which form, editor, knobs, dropped scenarios and the copy as Python " +
  "need; ackclock live FILE writes one with it";

/** Stands for the resolver in a page without Python: every question is a problem. */
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
