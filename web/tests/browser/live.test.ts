import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { expectAccessible, expectNoSidewaysScroll, open } from "./harness";
import { drop, pictured, pythonReady, setField, shows, TOML } from "./page-steps";

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

function digestOfCommand(scenario: string, ...settings: string[]): string {
  const out = join(folder(), "run");
  const options = ["run", scenario, "--digest", "--no-report", "--out", out, ...settings];
  const printed = execFileSync(ACKCLOCK, options, { encoding: "utf8" });
  return /\b[0-9a-f]{16,}\b/.exec(printed)?.[0] ?? printed;
}

/** Writes text as a scenario's file; returns its path. */
function written(toml: string): string {
  const file = join(folder(), "scenario.toml");
  writeFileSync(file, toml);
  return file;
}

/** The sentence with which the command line refuses a scenario. */
function refusalOfCommand(toml: string): string {
  const cwd = dirname(written(toml));
  const { stderr } = spawnSync(ACKCLOCK, ["run", "scenario.toml"], { cwd, encoding: "utf8" });
  return stderr.trim();
}

/** Writes a page of one file; returns its address. */
function pageOf(...options: string[]): string {
  const file = join(folder(), "live.html");
  execFileSync(ACKCLOCK, ["live", SCENARIO, "--out", file, "--no-open", ...options]);
  return pathToFileURL(file).href;
}

test("a page without Python runs from a file, as the command line does", async () => {
  const settings = ["--set", "duration=20s", "--set", "flows.cc=cubic"];
  const page = await open(pageOf("--no-python", ...settings));
  await page.locator(".digest code").first().waitFor();
  expect(await digestOfPage(page)).toBe(digestOfCommand(SCENARIO, ...settings));
  expect(await page.locator("canvas").count()).toBeGreaterThan(2);
  expect(await page.getByText("this page has no Python").count()).toBeGreaterThan(0);
  expect(await page.getByRole("heading", { name: "Lesson" }).isVisible()).toBe(false);
  await expectAccessible(page);
});

test("all of a page works from a file, as the command line does", async () => {
  const page = await open(pageOf("--set", "duration=20s"), { width: 390, dark: true });
  await pictured(page);
  const first = await digestOfPage(page);
  expect(first).toBe(digestOfCommand(SCENARIO, "--set", "duration=20s"));
  await pythonReady(page);
  // A narrow page folds its parts away.
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
  });
  const editor = page.getByLabel("Scenario as TOML");

  // A knob, from the middle of the run on.
  await page.locator("#chart-cwnd .u-over").click({ position: { x: 100, y: 30 } });
  const rate = page.locator(".part-knobs").getByLabel("rate", { exact: true });
  await rate.fill("3Mbit/s");
  await rate.press("Enter");
  await expect.poll(() => digestOfPage(page)).not.toBe(first);
  await expect.poll(() => editor.inputValue()).toContain("3Mbit/s");
  const turned = await digestOfPage(page);
  expect(turned).toBe(digestOfCommand(written(await editor.inputValue())));

  // The form, and back.
  await setField(page, "network.bottleneck.delay", "45ms");
  await expect.poll(() => editor.inputValue()).toContain("45ms");
  expect(await digestOfPage(page)).toBe(digestOfCommand(written(await editor.inputValue())));
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => digestOfPage(page)).toBe(turned);

  // The editor and its refusals.
  const toml = await editor.inputValue();
  for (const wrong of ["this is no TOML", toml.replace('cc = "reno"', 'cc = "rno"')]) {
    await editor.fill(wrong);
    const said = refusalOfCommand(wrong);
    expect(said).toContain("scenario.toml: ");
    await expect
      .poll(() => page.locator("#editor-problem, .problem").allInnerTexts())
      .toContain(said);
  }
  await drop(page, "dropped.toml", TOML);
  await shows(page, ["bertha (bbr)"]);
  await expect.poll(() => digestOfPage(page)).toBe(digestOfCommand(written(TOML)));
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
}, 120_000);

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
  expect(await digestOfPage(page)).toBe(digestOfCommand(SCENARIO, "--set", "duration=20s"));
});
