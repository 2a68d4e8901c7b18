import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import index from "../../public/presets/index.json";
import type { PresetEntry } from "../../src/resolver/contract";
import { expectAccessible, expectNoSidewaysScroll, open } from "./harness";

const LESSONS = (index as readonly PresetEntry[]).filter(({ isLesson }) => isLesson);

function digest(page: Page): Promise<string | null> {
  return page.locator(".digest code").first().textContent();
}

test("there are eight lessons", () => {
  expect(LESSONS).toHaveLength(8);
});

test.each(LESSONS)("lesson $title: three things to try, done and undone", async ({ name }) => {
  const page = await open(`#preset=${name}`);
  await page.locator(".lesson-text p").first().waitFor();
  const before = await digest(page);
  const tries = page.locator(".lesson-tries li");
  expect(await tries.count()).toBe(3);
  for (let at = 0; at < 3; at++) {
    const button = tries.nth(at).getByRole("button");
    await button.click();
    await expect.poll(() => button.textContent()).toBe("Undo it");
    await expect.poll(() => digest(page)).not.toBe(before);
    await expect.poll(() => page.url()).toContain("#s=");
    await button.click();
    await expect.poll(() => digest(page)).toBe(before);
  }
});

test("lessons lead to each other", async () => {
  const page = await open("#preset=slow-start");
  await page.getByRole("link", { name: "2. AIMD and fairness →" }).click();
  await page.getByRole("heading", { name: "AIMD and fairness" }).waitFor();
  const current = page.locator(".lesson-list [aria-current=page]");
  await expect.poll(() => current.textContent()).toBe("2. AIMD and fairness");
  await page.goBack();
  await page.getByRole("heading", { name: "Slow start", exact: true }).waitFor();
});

test("a lesson plays from its own beginning", async () => {
  const page = await open("#preset=cubic");
  await page.getByRole("button", { name: "Play from 5 s" }).click();
  await page.getByRole("button", { name: "Pause" }).waitFor();
});

test.each([{ width: 390 }, { width: 1280, dark: true }])("lessons at $width px", async (look) => {
  const page = await open("#preset=bbr-probes", look);
  await page.locator(".lesson-text p").first().waitFor();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});
