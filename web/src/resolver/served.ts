import type { Files, Json, Resolved, Resolver, Scenario } from "./contract";
import { ScenarioProblem } from "./contract";

type Answer =
  | { readonly answer: Json }
  | { readonly problem: string }
  | { readonly fault: string };

/** The resolver of `ackclock live --serve`: the installed ackclock, on this machine. */
export class ServedResolver implements Resolver {
  readonly ready = Promise.resolve();
  readonly #address: URL;

  /** `base` is the page's address. */
  constructor(base: string = document.baseURI) {
    this.#address = new URL("ask", base);
  }

  onProgress(tell: (share: number) => void): void {
    tell(1);
  }

  async #ask<T extends Json = string>(
    question: string,
    given: Readonly<Record<string, Json>>,
  ): Promise<T> {
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

  async resolve(scenario: Scenario, files: Files): Promise<Resolved> {
    return { scenario, files, plan: await this.#ask("resolve", { scenario, files }) };
  }

  parse(toml: string, files: Files, file = "scenario.toml"): Promise<Scenario> {
    return this.#ask<Scenario>("parse", { toml, files, file });
  }

  toToml(scenario: Scenario, files: Files = {}): Promise<string> {
    return this.#ask("toToml", { scenario, files });
  }

  toPython(scenario: Scenario, files: Files = {}): Promise<string> {
    return this.#ask("toPython", { scenario, files });
  }

  summary(scenario: Scenario, files: Files): Promise<string> {
    return this.#ask("summary", { scenario, files });
  }
}
