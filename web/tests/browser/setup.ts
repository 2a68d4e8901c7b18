import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { preview } from "vite";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** Address of the page. */
    page: string;
    /** Address at which Playwright reaches the browser. */
    browser: string;
  }
}

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Serves `dist/` and starts one browser for all tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(`there is no Chromium at ${CHROMIUM}: install it, or name one by CHROMIUM`);
  }
  if (!existsSync("dist/index.html")) {
    throw new Error("there is no dist/index.html: build the page by `make web`");
  }
  // A missing file is not found; a server for single pages would answer with the page.
  const server = await preview({
    appType: "mpa",
    logLevel: "warn",
    preview: { host: "127.0.0.1", port: 0 },
  });
  const browser = await chromium.launchServer({
    executablePath: CHROMIUM,
    // Root has no sandbox, and a container little shared memory.
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  const page = server.resolvedUrls?.local[0];
  if (page === undefined) throw new Error("the server of the page has no address");
  project.provide("page", page);
  project.provide("browser", browser.wsEndpoint());
  return async () => {
    await browser.close();
    await server.close();
  };
}
