import { existsSync, readFileSync } from "node:fs";

const FILE = new URL("../../public/engine/engine.wasm", import.meta.url);

/** The engine as `make web` has built it. */
export function engineModule(): WebAssembly.Module {
  if (!existsSync(FILE)) {
    throw new Error("there is no public/engine/engine.wasm: build the engine by `make web`");
  }
  return new WebAssembly.Module(readFileSync(FILE));
}
