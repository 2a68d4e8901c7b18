import { defineConfig } from "vitest/config";

/** Tests of the built page, `dist/`, in Chromium. */
export default defineConfig({
  test: {
    include: ["tests/browser/**/*.test.ts"],
    globalSetup: "tests/browser/setup.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A machine that does other things takes seconds for a run.
    expect: { poll: { timeout: 20_000 } },
    // Pages are drawn and timed: two at once would disturb each other.
    fileParallelism: false,
  },
});
