import { type Arguments, AskingResolver } from "./asking";
import type { Json } from "./contract";
import { ScenarioProblem } from "./contract";

type Answer =
  | { readonly answer: Json }
  | { readonly problem: string }
  | { readonly fault: string };

/** The resolver of `ackclock live --serve`: the installed ackclock, on this machine. */
export class ServedResolver extends AskingResolver {
  readonly ready = Promise.resolve();
  readonly #address: URL;

  /** `base` is the page's address. */
  constructor(base: string = document.baseURI) {
    super();
    this.#address = new URL("ask", base);
  }

  onProgress(tell: (share: number) => void): void {
    tell(1);
  }

  protected async ask<T extends Json = string>(question: string, given: Arguments): Promise<T> {
    let told: Answer;
    try {
      const response = await fetch(this.#address, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ question, arguments: given }),
      });
      told = (await response.json()) as Answer;
    } catch {
      throw new Error("ackclock live has ended: start it again, and reload its page");
    }
    if ("problem" in told) throw new ScenarioProblem(told.problem);
    if ("fault" in told) throw new Error(told.fault);
    return told.answer as T;
  }

  end(): void {}
}
