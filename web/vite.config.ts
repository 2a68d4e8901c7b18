import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vitest/config";
import { inlined } from "./inlined.ts";

/** Puts the first preset into the page, whose first run then waits for no further file. */
function firstPreset(): Plugin {
  return {
    name: "first-preset",
    apply: "build",
    transformIndexHtml(page) {
      const index = "presets/index.json";
      const [first] = JSON.parse(readFileSync(`public/${index}`, "utf8")) as { name: string }[];
      if (!first) throw new Error(`${index} has no preset: make web makes it`);
      const elements = [index, `presets/${first.name}.json`].map(inlined).join("\n    ");
      // Of a replacement that is a function, no `$` means anything.
      return page.replace("</body>", () => `  ${elements}\n  </body>`);
    },
  };
}

// Relative addresses: the folder works below any path of a file server.
export default defineConfig({
  base: "./",
  plugins: [firstPreset()],
  worker: { format: "es" },
  build: { target: "es2022", sourcemap: false },
  test: { include: ["tests/unit/**/*.test.ts"] },
});
