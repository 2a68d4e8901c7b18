import { defineConfig } from "vitest/config";

// Relative addresses: the folder works below any path of a file server.
export default defineConfig({
  base: "./",
  worker: { format: "es" },
  build: { target: "es2022", sourcemap: false },
  test: { include: ["tests/unit/**/*.test.ts"] },
});
