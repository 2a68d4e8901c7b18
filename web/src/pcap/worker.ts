import { Instance } from "../engine/wasm";
import type { Capture } from "./contract";

export interface Request {
  readonly id: number;
  readonly module: WebAssembly.Module;
  readonly file: File;
  /** Number of the connection; below 0: the one with most payload. */
  readonly connection: number;
}
export type Reply =
  | { readonly id: number; readonly error: string }
  | { readonly id: number; readonly capture: Capture };

async function read({ module, file, connection }: Request): Promise<Capture> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  // An instance of its own: its memory never shrinks, and ends with it.
  const instance = new Instance(module);
  const answer = instance.capture(bytes, file.name, connection);
  return {
    ...answer,
    segments: instance.captureTable("segments"),
    rates: instance.captureTable("rates"),
  };
}

self.addEventListener("message", async ({ data }: MessageEvent<Request>) => {
  try {
    postMessage({ id: data.id, capture: await read(data) } satisfies Reply);
  } catch (error: unknown) {
    const sentence = error instanceof Error ? error.message : String(error);
    postMessage({ id: data.id, error: `${data.file.name}: ${sentence}` } satisfies Reply);
  }
});
