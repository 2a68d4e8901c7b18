import { existsSync, readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import type { Plugin } from "vite";
import { defineConfig } from "vite";
import { inlined, inScript } from "./inlined.ts";

/** The file that `ackclock live` puts scenarios into. */
const OUT = "../python/ackclock/live";

/** Files of the page's server that the page asks for, besides presets. */
const FILES = ["catalogue.json", "schema.json"].filter((path) => existsSync(`public/${path}`));

/** Fills the place of an element that is there once; `$` in the content means nothing. */
function filled(page: string, begin: string, end: string, content: string): string {
  const at = page.indexOf(begin + end);
  if (at < 0 || page.indexOf(begin + end, at + 1) >= 0) {
    throw new Error(`live.html must have one ${begin}${end}`);
  }
  return page.slice(0, at + begin.length) + content + page.slice(at + begin.length);
}

/** Takes workers as text into the page's script: a page that is a file can load none. */
function inlineWorkers(): Plugin {
  return {
    name: "inline-workers",
    enforce: "pre",
    transform: (code, id) =>
      id.endsWith(".ts") ? code.replaceAll('?worker"', '?worker&inline"') : null,
  };
}

/** Puts code, style, files and engine into live.html. */
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
      page = filled(page, "<style>", "</style>", style);
      page = filled(page, 'id="engine">', "</script>", engine.toString("base64"));
      page = filled(page, '<div id="files" hidden>', "</div>", FILES.map(inlined).join(""));
      page = filled(page, "<script>", "</script>", inScript(script));
      this.emitFile({ type: "asset", fileName: "live.html", source: page });
    },
  };
}

export default defineConfig({
  base: "./",
  publicDir: false,
  plugins: [inlineWorkers(), oneFile()],
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
