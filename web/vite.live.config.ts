import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { deflateRawSync, gzipSync } from "node:zlib";
import type { Plugin } from "vite";
import { defineConfig } from "vite";
import { inlined, inScript } from "./inlined.ts";

/** The file that `ackclock live` puts scenarios into. */
const OUT = "../python/ackclock/pages/live";

/** Files of the page's server that the page asks for, besides presets. */
const FILES = ["catalogue.json", "schema.json"].filter((path) => existsSync(`public/${path}`));

/** Python's files that web/build/python.py leaves unpacked, and those that it packs with gzip. */
const PYTHON = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide-lock.json"];
const PACKED = ["pyodide.asm.wasm", "python_stdlib.zip"];

/** Fills the place of an element that is there once; `$` in the content means nothing. */
function filled(page: string, begin: string, end: string, content: string): string {
  const at = page.indexOf(begin + end);
  if (at < 0 || page.indexOf(begin + end, at + 1) >= 0) {
    throw new Error(`live.html must have one ${begin}${end}`);
  }
  return page.slice(0, at + begin.length) + content + page.slice(at + begin.length);
}

/** Python's files, packed, by the name that Pyodide has. */
function python(): readonly (readonly [string, Uint8Array])[] {
  return [
    ...PYTHON.map((name) => {
      const content = readFileSync(`public/python/${name}`);
      return [name, gzipSync(content, { level: 9 })] as const;
    }),
    ...PACKED.map((name) => [name, readFileSync(`public/python/${name}.packed`)] as const),
  ];
}

/** The source that a content security policy has for a text of the page. */
function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Names the page's own script and style in its content security policy: no others have effect. */
function allowed(page: string, name: string, text: string): string {
  const parts = page.split(`'${name} of the page'`);
  if (parts.length !== 2) throw new Error(`live.html must have one '${name} of the page'`);
  return parts.join(hash(text));
}

/** Puts code, style, files and engine into live.html, and Python's files beside it. */
function oneFile(): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_, bundle) {
      let [script, style] = ["", ""];
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === "chunk") script += part.code;
        else if (name.endsWith(".css")) style += part.source;
        else throw new Error(`${name} cannot stand in one file`);
        delete bundle[name];
      }
      const engine = deflateRawSync(readFileSync("public/engine/engine.wasm"), { level: 9 });
      let page = readFileSync("live.html", "utf8");
      const code = inScript(script);
      page = allowed(page, "style", style);
      page = allowed(page, "script", code);
      page = filled(page, "<style>", "</style>", style);
      page = filled(page, 'id="engine">', "</script>", engine.toString("base64"));
      page = filled(page, '<div id="files" hidden>', "</div>", FILES.map(inlined).join(""));
      page = filled(page, "<script>", "</script>", code);
      this.emitFile({ type: "asset", fileName: "live.html", source: page });
      for (const [name, source] of python()) {
        this.emitFile({ type: "asset", fileName: `pyodide/${name}.gz`, source });
      }
      const licences = readFileSync("public/python/licences.txt");
      this.emitFile({ type: "asset", fileName: "pyodide/licences.txt", source: licences });
    },
  };
}

export default defineConfig({
  base: "./",
  publicDir: false,
  plugins: [oneFile()],
  worker: { format: "iife" },
  build: {
    target: "es2022",
    outDir: OUT,
    emptyOutDir: false,
    cssCodeSplit: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    lib: { entry: "src/live/live.ts", formats: ["iife"], name: "ackclockLive" },
  },
});
