import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { expectAccessible, open } from "./harness";

const ACKCLOCK = resolve("../.venv/bin/ackclock");
const SCENARIO = resolve("../scenarios/reno-one-flow.toml");

/** A folder for the test that runs. */
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "ackclock-live-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

function digestOfPage(page: Page): Promise<string | null> {
  return page.locator(".digest code").first().textContent();
}

function digestOfCommand(...settings: string[]): string {
  const out = join(folder(), "run");
  const options = ["run", SCENARIO, "--digest", "--no-report", "--out", out, ...settings];
  const printed = execFileSync(ACKCLOCK, options, { encoding: "utf8" });
  return /\b[0-9a-f]{16,}\b/.exec(printed)?.[0] ?? printed;
}

test("a page of one file runs from a file, as the command line does", async () => {
  const file = join(folder(), "live.html");
  const settings = ["--set", "duration=20s", "--set", "flows.cc=cubic"];
  execFileSync(ACKCLOCK, ["live", SCENARIO, "--out", file, "--no-open", ...settings]);
  const page = await open(pathToFileURL(file).href);
  await page.locator(".digest code").first().waitFor();
  expect(await digestOfPage(page)).toBe(digestOfCommand(...settings));
  expect(await page.locator("canvas").count()).toBeGreaterThan(2);
  expect(await page.getByText("ackclock live FILE --serve").count()).toBeGreaterThan(0);
  expect(await page.getByRole("heading", { name: "Lesson" }).isVisible()).toBe(false);
  await expectAccessible(page);
});

/** Starts `ackclock live --serve` for the test that runs; returns its address. */
async function serve(): Promise<string> {
  const command = spawn(ACKCLOCK, ["live", SCENARIO, "--serve", "--no-open"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => {
    command.kill("SIGINT");
  });
  command.stdout.setEncoding("utf8");
  for await (const text of command.stdout) {
    const address = /http:\S+/.exec(text as string)?.[0];
    if (address) return address;
  }
  throw new Error("ackclock live --serve has ended");
}

test("a served page asks the installed ackclock what a scenario means", async () => {
  const page = await open(await serve());
  await page.locator(".digest code").first().waitFor();
  const before = await digestOfPage(page);
  const duration = page.getByLabel("duration", { exact: true });
  await duration.fill("20s");
  await duration.press("Enter");
  await expect.poll(() => digestOfPage(page)).not.toBe(before);
  expect(await digestOfPage(page)).toBe(digestOfCommand("--set", "duration=20s"));
});
