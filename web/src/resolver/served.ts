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
    let reply: Answer;
    try {
      const response = await fetch(this.#address, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ question, arguments: given }),
      });
      reply = (await response.json()) as Answer;
    } catch {
      throw new Error("ackclock live has ended: start it again, and reload its page");
    }
    if ("problem" in reply) throw new ScenarioProblem(reply.problem);
    if ("fault" in reply) throw new Error(reply.fault);
    return reply.answer as T;
  }

  end(): void {}
}
