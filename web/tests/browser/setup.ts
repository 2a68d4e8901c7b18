import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { build, type PreviewServer, preview } from "vite";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** Address of the page. */
    page: string;
    /** Address of the page on a server that sends the headers of docs/playground.md. */
    guardedPage: string;
    /** Address of a page that has the engine alone, as `globalThis.engine`. */
    enginePage: string;
    /** Address at which Playwright reaches the browser. */
    browser: string;
  }
}

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Serves `dist/` and a page for the engine's tests, and starts one browser for all tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(`there is no Chromium at ${CHROMIUM}: install it, or name one by CHROMIUM`);
  }
  if (!existsSync("dist/index.html")) {
    throw new Error("there is no dist/index.html: build the page by `make web`");
  }
  const folder = await mkdtemp(join(tmpdir(), "ackclock-engine-page-"));
  await build({
    configFile: false,
    logLevel: "warn",
    root: "tests/browser/engine-page",
    publicDir: join(process.cwd(), "public"),
    base: "./",
    worker: { format: "es" },
    build: { outDir: folder, target: "es2022", emptyOutDir: true },
  });
  const servers = [
    await serve("dist"),
    await serve(folder),
    await serve("dist", documentedHeaders()),
  ] as const;
  const browser = await chromium.launchServer({
    executablePath: CHROMIUM,
    // Root has no sandbox, and a container little shared memory.
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  project.provide("page", address(servers[0]));
  project.provide("enginePage", address(servers[1]));
  project.provide("guardedPage", address(servers[2]));
  project.provide("browser", browser.wsEndpoint());
  return async () => {
    await browser.close();
    for (const server of servers) await server.close();
    await rm(folder, { recursive: true });
  };
}

/** Headers that the documentation asks a host to send. */
function documentedHeaders(): Record<string, string> {
  const [, block = ""] =
    /```text\n(Content-Security-Policy: .*?)```/s.exec(
      readFileSync("../docs/playground.md", "utf8"),
    ) ?? [];
  const lines = block.trim().replaceAll(/\n +/g, " ").split("\n");
  return Object.fromEntries(lines.map((line) => line.split(": ", 2) as [string, string]));
}

/** Serves a folder. A missing file is not found; a server for single pages would answer a page. */
function serve(outDir: string, headers: Record<string, string> = {}): Promise<PreviewServer> {
  return preview({
    configFile: false,
    appType: "mpa",
    logLevel: "warn",
    build: { outDir },
    preview: { host: "127.0.0.1", port: 0, headers },
  });
}

function address(server: PreviewServer): string {
  const found = server.resolvedUrls?.local[0];
  if (found === undefined) throw new Error("a server has no address");
  return found;
}
