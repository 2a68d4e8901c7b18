import { AskingResolver } from "./asking";
import { ScenarioProblem } from "./contract";

const WAY =
  "this page has no Python, which form, editor, knobs, dropped scenarios and the copy as Python " +
  "need; ackclock live FILE writes one with it";

/** Stands for the resolver in a page without Python: every question is a problem. */
export class AbsentResolver extends AskingResolver {
  readonly ready = Promise.reject(new ScenarioProblem(WAY));

  constructor() {
    super();
    // Whoever asks hears of it.
    this.ready.catch(() => undefined);
  }

  onProgress(): void {}

  end(): void {}

  protected async ask(): Promise<never> {
    throw new ScenarioProblem(WAY);
  }
}
