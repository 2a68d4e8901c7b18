import { EngineError, Superseded } from "../engine/contract";
import type { Capture } from "./contract";
import type { Reply, Request } from "./worker";
// Within the page's script, for the reason that the engine's is.
import CaptureWorker from "./worker?worker&inline";

/** Reads captures in a worker; a newer request ends the one before. */
export class CaptureReader {
  readonly #module: () => Promise<WebAssembly.Module>;
  #end: (() => void) | null = null;
  #id = 0;

  constructor(module: () => Promise<WebAssembly.Module>) {
    this.#module = module;
  }

  async read(file: File, connection: number | null): Promise<Capture> {
    this.#end?.();
    const id = ++this.#id;
    const module = await this.#module();
    if (id !== this.#id) throw new Superseded();
    const worker = new CaptureWorker();
    try {
      return await new Promise<Capture>((resolve, reject) => {
        this.#end = () => reject(new Superseded());
        worker.onmessage = ({ data }: MessageEvent<Reply>) => {
          if ("error" in data) reject(new EngineError(data.error));
          else resolve(data.capture);
        };
        worker.onerror = ({ message }) => {
          reject(new EngineError(`${file.name}: the reader of captures failed: ${message}`));
        };
        const request: Request = { id, module, file, connection: connection ?? -1 };
        worker.postMessage(request);
      });
    } finally {
      worker.terminate();
    }
  }
}
