import type { Detail, Engine, RunResult } from "./contract";
import { EngineError, Superseded } from "./contract";
import type { Reply, Request } from "./worker";
// Within the page's script: a worker of a text has the page's content security policy, and starts
// in a page that is a file.
import EngineWorker from "./worker?worker&inline";

type Question = { readonly kind: "run" } | { readonly kind: "detail"; from: number; to: number };

interface Waiting {
  readonly id: number;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: Error) => void;
  readonly progress: ((share: number) => void) | undefined;
}

/** A worker that answers the newest question; those before it are ended. */
class Lane {
  readonly #worker: Worker = new EngineWorker();
  #waiting: Waiting | null = null;
  #id = 0;

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<Reply>) => this.#hear(data);
    this.#worker.onerror = ({ message }) => {
      this.#settle()?.reject(new EngineError(`the engine's worker failed: ${message}`));
    };
  }

  async ask(
    module: Promise<WebAssembly.Module>,
    plan: string,
    question: Question,
    progress?: (share: number) => void,
  ): Promise<unknown> {
    this.#settle()?.reject(new Superseded());
    const id = ++this.#id;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#waiting = { id, resolve, reject, progress };
    });
    // A newer question may end this one while the module still loads, before anybody awaits it.
    answer.catch(() => undefined);
    try {
      const request: Request = { id, module: await module, plan, ...question };
      if (id === this.#id) this.#worker.postMessage(request);
    } catch (error) {
      if (id === this.#id) this.#settle()?.reject(error as Error);
    }
    return answer;
  }

  end(): void {
    this.#worker.terminate();
  }

  #hear(reply: Reply): void {
    if (reply.id !== this.#waiting?.id) return;
    if ("progress" in reply) this.#waiting.progress?.(reply.progress);
    else if ("error" in reply) this.#settle()?.reject(new EngineError(reply.error));
    else this.#settle()?.resolve(reply.answer);
  }

  #settle(): Waiting | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    return waiting;
  }
}

/** The engine in two workers: one for runs, one for runs in detail. */
export class WorkerEngine implements Engine {
  readonly #module: Promise<WebAssembly.Module>;
  readonly #runs = new Lane();
  #details: Lane | null = null;

  constructor(module: Promise<WebAssembly.Module>) {
    this.#module = module;
  }

  /** Ends the workers: nothing can be asked any more. */
  end(): void {
    this.#runs.end();
    this.#details?.end();
  }

  get module(): Promise<WebAssembly.Module> {
    return this.#module;
  }

  async run(plan: string, progress?: (share: number) => void): Promise<RunResult> {
    return (await this.#runs.ask(this.#module, plan, { kind: "run" }, progress)) as RunResult;
  }

  async detail(plan: string, from: number, to: number): Promise<Detail> {
    this.#details ??= new Lane();
    return (await this.#details.ask(this.#module, plan, { kind: "detail", from, to })) as Detail;
  }
}

/** The engine's module from the server of the page. It is compiled once, for all workers. */
export async function fetchModule(): Promise<WebAssembly.Module> {
  const address = new URL("engine/engine.wasm", document.baseURI);
  try {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    // Not every server knows the type, without which a browser compiles no stream.
    return response.headers.get("content-type")?.startsWith("application/wasm")
      ? await WebAssembly.compileStreaming(response)
      : await WebAssembly.compile(await response.arrayBuffer());
  } catch (error) {
    throw new EngineError(`the engine, ${address.href}, cannot be loaded: ${error}`);
  }
}
