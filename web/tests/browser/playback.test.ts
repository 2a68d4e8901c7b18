import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { Detail, RunResult } from "../../src/engine/contract";
import { Details, run } from "../../src/engine/runs";
import { prepare } from "../../src/pipe/journal";
import { SPEEDS } from "../../src/playback/speeds";
import { eventTimes } from "../../src/playback/steps";
import type { Preset } from "../../src/resolver/contract";
import { engineModule } from "../unit/module";
import { expectAccessible, open } from "./harness";

const PRESET = "slow-start";
const START = 1.5;
const END = 3.5;

let result: RunResult;
let detail: Detail;

beforeAll(async () => {
  const file = new URL(`../../public/presets/${PRESET}.json`, import.meta.url);
  const { plan } = JSON.parse(readFileSync(file, "utf-8")) as Preset;
  const module = engineModule();
  const always = () => true;
  const whole = await run(module, plan, always, () => undefined);
  const part = await new Details().part(module, plan, 0, END, always);
  if (!whole || !part) throw new Error("a run was ended");
  result = whole;
  detail = part;
  await prepare(detail, plan, result);
});

/** Opens the preset, paused at a time, s. */
async function openAt(time: number, look = {}): Promise<Page> {
  const page = await open(`#preset=${PRESET}`, look);
  await page.locator(".pipe-words:not(:empty)").waitFor();
  await page.getByLabel("Time of the run").fill(String(time));
  await singlePackets(page);
  return page;
}

/** Waits until the packets of the time shown are there. */
function singlePackets(page: Page): Promise<void> {
  return page.locator(".pipe-words", { hasText: "on the wire" }).waitFor();
}

/** The time shown, s, as the page writes it: to the microsecond. */
async function shownTime(page: Page): Promise<number> {
  return Number.parseFloat((await page.locator(".playback-time").textContent()) ?? "");
}

async function shows(page: Page, time: number): Promise<void> {
  const text = `${time.toFixed(6)} s`;
  await expect.poll(() => page.locator(".playback-time").textContent()).toBe(text);
}

/** Events of a window that a reader who starts at a time steps through. */
function after(times: Float64Array, time: number): number[] {
  return [...times].filter((at) => at > time).slice(0, 12);
}

describe("steps", () => {
  test.each([
    ["packet", "packet", "ArrowRight", "ArrowLeft"],
    ["ack", "ACK", "Shift+ArrowRight", "Shift+ArrowLeft"],
  ] as const)("by %s show each one, forward and back", async (unit, name, right, left) => {
    const page = await openAt(START);
    const start = await shownTime(page);
    const expected = after(eventTimes(detail, unit, 0), start);
    for (const [index, time] of expected.entries()) {
      if (index % 2 === 0)
        await page.getByRole("button", { name: `One ${name} forward` }).click();
      else await page.keyboard.press(right);
      await shows(page, time);
    }
    for (const [index, time] of expected.slice(0, -1).reverse().entries()) {
      if (index % 2 === 0) await page.getByRole("button", { name: `One ${name} back` }).click();
      else await page.keyboard.press(left);
      await shows(page, time);
    }
  });

  test("go on beyond the packets that the page has", async () => {
    const page = await openAt(0);
    const slider = page.getByLabel("Time of the run");
    await slider.fill("19.9");
    await page.keyboard.press("End");
    const end = await shownTime(page);
    expect(end).toBeCloseTo(result.endTime, 3);
    await page.getByRole("button", { name: "One packet back" }).click();
    await expect.poll(() => shownTime(page)).toBeLessThan(end);
    await page.getByRole("button", { name: "To the start" }).click();
    await shows(page, 0);
    await page.getByRole("button", { name: "One packet forward" }).click();
    await expect.poll(() => shownTime(page)).toBeGreaterThan(0);
  });

  test("by round trip move by the RTT that the sender sees", async () => {
    const page = await openAt(START);
    const start = await shownTime(page);
    await page.locator("#run").focus();
    await page.keyboard.press(".");
    const step = (await shownTime(page)) - start;
    expect(step).toBeGreaterThan(0.059);
    expect(step).toBeLessThan(0.13);
    await page.keyboard.press(",");
    expect(await shownTime(page)).toBeLessThan(start + step);
  });
});

test("the words say how many packets the engine has in the queue", async () => {
  const { time, link, queue_packets: queue } = result.tables.link_samples.columns;
  const times = [...(time?.values ?? [])];
  const page = await openAt(START);
  for (const wanted of [0.4, 0.55, 2.2, 3]) {
    const row = times.findIndex((at, index) => at >= wanted && link?.values[index] === 0);
    const at = times[row] as number;
    const slider = page.getByLabel("Time of the run");
    await slider.fill(String(Math.round(at * 50) / 50));
    await singlePackets(page);
    const shown = await shownTime(page);
    const exact = times.findIndex(
      (sample, index) => Math.abs(sample - shown) < 1e-7 && link?.values[index] === 0,
    );
    const text = `Queue ${queue?.values[exact]} of 50 packets`;
    await expect.poll(() => page.locator(".pipe-words").textContent()).toContain(text);
  }
});

test("the space bar plays and pauses, and brackets change the speed", async () => {
  const page = await openAt(START);
  await page.locator("#run").focus();
  const before = await shownTime(page);
  await page.keyboard.press(" ");
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await expect.poll(() => shownTime(page)).toBeGreaterThan(before);
  await page.keyboard.press(" ");
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  const speed = page.getByRole("slider", { name: "Speed" });
  await speed.fill(String(SPEEDS.indexOf(1)));
  expect(await speed.getAttribute("aria-valuetext")).toBe("real time");
  await page.locator("#run").focus();
  await page.keyboard.press("]");
  expect(await speed.getAttribute("aria-valuetext")).toBe("2 × real time");
  for (let count = 0; count < 2; count++) await page.keyboard.press("[");
  expect(await speed.getAttribute("aria-valuetext")).toBe("1/2 of real time");
  await page.keyboard.press("Home");
  await shows(page, 0);
});

test("at a thousand times real time the run ends, drawn from its samples", async () => {
  const page = await openAt(START);
  await page.getByRole("slider", { name: "Speed" }).fill(String(SPEEDS.length - 1));
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect.poll(() => shownTime(page)).toBeCloseTo(result.endTime, 3);
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
});

test("with reduced motion nothing moves by itself, and steps work", async () => {
  const page = await openAt(START, { reducedMotion: true });
  const before = await shownTime(page);
  await page.waitForTimeout(300);
  expect(await shownTime(page)).toBe(before);
  await page.getByRole("button", { name: "One ACK forward" }).click();
  await shows(page, after(eventTimes(detail, "ack", 0), before)[0] ?? 0);
});

describe("why", () => {
  test("tells the decision of the ACK that is shown", async () => {
    const page = await openAt(START);
    const start = await shownTime(page);
    const why = page.locator(".why");
    await why.getByRole("button", { name: "ACK ›" }).click();
    const [first = 0] = after(eventTimes(detail, "ack", 0), start);
    await shows(page, first);
    await expect
      .poll(() => why.locator(".why-time").textContent())
      .toContain(`at ${first.toFixed(6)} s`);
    expect(await why.locator(".why-event").textContent()).toMatch(/ACK arrived/);
    await why.getByText("Numbers").click();
    expect(await why.locator("tbody tr").count()).toBeGreaterThan(15);
  });

  test("finds the next loss", async () => {
    const page = await openAt(0);
    const why = page.locator(".why");
    const next = why.getByRole("button", { name: "not routine ›" });
    for (let count = 0; count < 12; count++) {
      const before = await shownTime(page);
      await next.click();
      await expect.poll(() => shownTime(page)).toBeGreaterThan(before);
      await expect
        .poll(() => why.locator(".why-time").textContent())
        .toContain(`at ${(await shownTime(page)).toFixed(6)} s`);
      if (/recovery begins/.test((await why.locator(".why-text").textContent()) ?? "")) return;
    }
    throw new Error("no recovery was found");
  });
});

test.each([
  { width: 390, dark: true },
  { width: 1280, dark: false },
])("path, time and decisions are accessible: %j", async (look) => {
  const page = await openAt(START, look);
  await page.getByText("Keys", { exact: true }).click();
  await page.locator(".why").getByText("Numbers").click();
  for (const part of [".part-pipe", ".part-playback", ".part-why"]) {
    await expectAccessible(page, part);
  }
});
