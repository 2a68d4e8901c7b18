import type { Detail, Engine, RunResult } from "./contract";
import { EngineError, Superseded } from "./contract";
import type { Reply, Request } from "./worker";
import EngineWorker from "./worker?worker";

/** The engine in a worker; a run that is replaced by another is ended with its worker. */
export class WorkerEngine implements Engine {
  readonly #module: Promise<WebAssembly.Module>;
  #worker = new EngineWorker();
  #end: ((reason: Error) => void) | null = null;
  #id = 0;

  constructor(module: Promise<WebAssembly.Module>) {
    this.#module = module;
  }

  get module(): Promise<WebAssembly.Module> {
    return this.#module;
  }

  async run(plan: string, progress?: (share: number) => void): Promise<RunResult> {
    if (this.#end) {
      this.#end(new Superseded());
      this.#worker.terminate();
      this.#worker = new EngineWorker();
    }
    const id = ++this.#id;
    const worker = this.#worker;
    const done = new Promise<RunResult>((resolve, reject) => {
      this.#end = reject;
      worker.onmessage = ({ data }: MessageEvent<Reply>) => {
        if (data.id !== id) return;
        if ("progress" in data) return progress?.(data.progress);
        this.#end = null;
        if ("error" in data) reject(new EngineError(data.error));
        else resolve(data.run);
      };
    });
    const module = await this.#module;
    worker.postMessage({ id, module, plan } satisfies Request);
    return done;
  }

  detail(_plan: string, _from: number, _to: number): Promise<Detail> {
    return Promise.reject(new EngineError("the engine has no details yet"));
  }
}

/** The engine's module from the server of the page. */
export function fetchModule(): Promise<WebAssembly.Module> {
  return WebAssembly.compileStreaming(fetch(new URL("engine/engine.wasm", document.baseURI)));
}
