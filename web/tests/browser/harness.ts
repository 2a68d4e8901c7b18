import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, expect, inject, onTestFinished } from "vitest";

/** How a reader sees the page. */
export interface Look {
  /** Width of the window in CSS pixels; 1280 unless said. */
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  readonly reducedMotion?: boolean;
  /** Whether the browser leaves the page's content security policy aside. */
  readonly lawless?: boolean;
}

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

let browser: Promise<Browser> | null = null;

afterAll(async () => {
  await (await browser)?.close();
  browser = null;
});

/**
 * Opens the page for the test that runs, at a path such as `#preset=slow-start`. The test fails if
 * the page reports an error, throws one, or asks for a file that is missing or on another host. A page that is
 * a file may ask for nothing but itself.
 */
export async function open(path = "", look: Look = {}): Promise<Page> {
  return openAt(new URL(path, inject("page")), look);
}

/**
 * Opens a page for an attack on it: what the browser refuses it reports as an error, so that errors
 * are no failure.
 */
export async function openToAttack(address: string, look: Look = {}): Promise<Page> {
  const page = await pageFor(look, () => undefined);
  await page.goto(address);
  return page;
}

/** Opens a page with nothing but the engine, `globalThis.engine`, for the test that runs. */
export async function openEngine(): Promise<Page> {
  return openAt(new URL(inject("enginePage")), {});
}

async function openAt(address: URL, look: Look): Promise<Page> {
  let problems: readonly string[] = [];
  const page = await pageFor(look, () => {
    expect(problems, "problems that the page had").toEqual([]);
  });
  problems = watch(page, address);
  await page.goto(address.href);
  return page;
}

/** An empty page for the test that runs; `check` is called when the test has ended. */
async function pageFor(look: Look, check: () => void): Promise<Page> {
  browser ??= chromium.connect(inject("browser"));
  const { width = 1280, height = 800, dark = false, reducedMotion = false } = look;
  const context = await (await browser).newContext({
    bypassCSP: look.lawless ?? false,
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    reducedMotion: reducedMotion ? "reduce" : "no-preference",
  });
  onTestFinished(async () => {
    await context.close();
    check();
  });
  return context.newPage();
}

/** Collects the problems of a page in a list that grows. */
function watch(page: Page, home: URL): readonly string[] {
  const problems: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()))
      problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.stack ?? error.message}`));
  page.on("request", (request) => {
    const { protocol, origin, pathname, href } = new URL(request.url());
    const isHere =
      home.protocol === "file:" ? pathname === home.pathname : origin === home.origin;
    if (/^(https?|file):$/.test(protocol) && !isHere) problems.push(`another place: ${href}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`);
  });
  return problems;
}

/** Expects that axe finds nothing to complain about in what the page, or a part of it, shows. */
export async function expectAccessible(page: Page, part?: string): Promise<void> {
  // Not as an element: the page's content security policy refuses a script that is not its own.
  await page.evaluate(readFileSync(AXE, "utf8"));
  const complaints = await page.evaluate(async (within) => {
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(
      within ?? document,
    );
    return violations.map(({ id, help, nodes }) => {
      const places = nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`);
      return `${id}: ${help}\n  ${places.join("\n  ")}`;
    });
  }, part);
  expect(complaints, "complaints of axe").toEqual([]);
}

type Axe = typeof import("axe-core");

/** Expects that the page is no wider than its window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth];
  });
  expect(content, "width of the page, in a window that is narrower").toBeLessThanOrEqual(window);
}
