import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type Parts, Python } from "../../src/resolver/python";

const BUILT = "public/python";

/** The resolver of the page, in node; `make web` builds its files. */
export async function loadPython(): Promise<Python> {
  const place = `${mkdtempSync(join(tmpdir(), "ackclock-"))}/`;
  try {
    for (const name of ["pyodide.mjs", "pyodide.asm.mjs", "pyodide-lock.json"]) {
      copyFileSync(join(BUILT, name), join(place, name));
    }
    for (const name of ["pyodide.asm.wasm", "python_stdlib.zip"]) {
      writeFileSync(join(place, name), gunzipSync(readFileSync(join(BUILT, `${name}.packed`))));
    }
    const { loadPyodide } = (await import(/* @vite-ignore */ `${place}pyodide.mjs`)) as Parts;
    const engine = new WebAssembly.Module(readFileSync("public/engine/engine.wasm"));
    return await Python.load({ loadPyodide, place, engine });
  } finally {
    rmSync(place, { recursive: true });
  }
}
