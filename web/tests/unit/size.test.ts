import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { expect, test } from "vitest";

/** Page, engine and presets, compressed; Python comes after the first picture. */
const MOST_BYTES = 800_000;
const LATER = /^(python|pyodide)\//;

test("page, engine and presets are smaller than 0.8 MB", () => {
  const files = readdirSync("dist", { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice("dist/".length))
    .filter((name) => !LATER.test(name));
  expect(files).toContain("index.html");
  expect(files).toContain("engine/engine.wasm");
  const sizes = files.map((name) => brotliCompressSync(readFileSync(`dist/${name}`)).length);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  console.info(`page, engine and presets: ${Math.round(bytes / 1000)} kB compressed`);
  expect(bytes).toBeLessThan(MOST_BYTES);
}, 60_000);
