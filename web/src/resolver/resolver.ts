import { type Arguments, AskingResolver } from "./asking";
import type { Json } from "./contract";
import { ScenarioProblem } from "./contract";
import type { Source } from "./sources";
import type { Question, Reply, Start } from "./worker";
// Within the page's script, for the reason that the engine's is.
import PythonWorker from "./worker?worker&inline";

interface Waiting {
  resolve(answer: Json): void;
  reject(reason: Error): void;
}

/** The resolver: the package ackclock in Pyodide, in a worker of its own. */
export class PythonResolver extends AskingResolver {
  readonly ready: Promise<void>;
  #worker: Worker | null = null;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners: ((share: number) => void)[] = [];
  #share = 0;
  #id = 0;

  /** Begins to load Python when the engine and the source are given. */
  constructor(
    engine: Promise<WebAssembly.Module>,
    source: Source | Promise<Source> = { folder: new URL("python/", document.baseURI).href },
  ) {
    super();
    this.ready = engine.then(async (engine) => this.#load({ engine, source: await source }));
    // A failure is told to those who ask.
    this.ready.catch(() => undefined);
  }

  #load(start: Start): Promise<void> {
    const worker = new PythonWorker();
    this.#worker = worker;
    return new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Reply>) => {
        if ("progress" in data) this.#progress(data.progress);
        else if ("ready" in data) resolve();
        else if ("broken" in data) reject(new Error(data.broken));
        else this.#answered(data);
      };
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(start);
    });
  }

  #progress(share: number): void {
    this.#share = share;
    for (const tell of this.#listeners) tell(share);
  }

  #answered(reply: Extract<Reply, { id: number }>): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ("answer" in reply) waiting?.resolve(reply.answer);
    else if ("problem" in reply) waiting?.reject(new ScenarioProblem(reply.problem));
    else waiting?.reject(new Error(reply.fault));
  }

  protected async ask<T extends Json = string>(question: string, args: Arguments): Promise<T> {
    await this.ready;
    const id = ++this.#id;
    const answer = await new Promise<Json>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker?.postMessage({ id, question, args } satisfies Question);
    });
    return answer as T;
  }

  onProgress(tell: (share: number) => void): void {
    this.#listeners.push(tell);
    tell(this.#share);
  }

  end(): void {
    this.#worker?.terminate();
  }
}
