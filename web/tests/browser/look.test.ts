import { expect, test } from "vitest";
import { expectAccessible, expectNoSidewaysScroll, open } from "./harness";
import { pictured, pythonReady, shows } from "./page-steps";

test.each([
  { width: 390, dark: false },
  { width: 390, dark: true, reducedMotion: true },
  { width: 768, dark: false },
  { width: 1280, dark: false, reducedMotion: true },
  { width: 1280, dark: true },
])("every part of the page is accessible: %j", async (look) => {
  const page = await open("#preset=bbr-beside-cubic", look);
  await pictured(page);
  // What is folded away is looked at too; a part is filled after it is opened.
  for (let depth = 0; depth < 3; depth += 1) {
    await page.evaluate(async () => {
      for (const fold of document.querySelectorAll("details")) fold.open = true;
      await new Promise((resolve) => setTimeout(resolve, 200));
    });
  }
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

test("the page is used with the keyboard alone", async () => {
  const page = await open("#preset=slow-start");
  await pictured(page);
  await pythonReady(page);
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the run");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("run");
  // Every control can be reached, and has a name and a visible focus.
  const seen = new Set<string>();
  for (let count = 0; count < 150; count += 1) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      const active = document.activeElement;
      if (!active || active === document.body) return null;
      const shown = active.closest(".button") ?? active;
      const { outlineStyle } = getComputedStyle(shown);
      const part = /part-\w+/.exec(active.closest(".part")?.className ?? "")?.[0];
      return { part: part ?? "head", outlineStyle };
    });
    if (!found) break;
    seen.add(found.part);
    expect(found.outlineStyle, found.part).not.toBe("none");
  }
  for (const part of ["charts", "knobs", "scenario", "playback"]) {
    expect([...seen]).toContain(`part-${part}`);
  }
  await page.locator(".part-knobs").getByLabel("rate", { exact: true }).focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("5Mbit/s");
  await page.keyboard.press("Enter");
  await page.locator(".changes li").first().waitFor();
  await page.getByRole("button", { name: "New flow" }).focus();
  await page.keyboard.press("Enter");
  await shows(page, ["reno", "cubic"]);
});

test("a flow is hidden and the charts are zoomed", async () => {
  const page = await open("#preset=bbr-beside-cubic");
  await pictured(page);
  const hide = page.locator(".charts-swatch").first();
  await hide.click();
  expect(await hide.getAttribute("aria-pressed")).toBe("false");
  const values = page.locator("#chart-cwnd .charts-values > span");
  expect(await values.count()).toBe((await page.locator(".charts-flow").count()) - 1);
  const box = await page.locator("#chart-cwnd .u-over").boundingBox();
  if (!box) throw new Error("there is no chart");
  await page.mouse.move(box.x + 50, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 150, box.y + 20, { steps: 4 });
  await page.mouse.up();
  const all = page.getByRole("button", { name: "All of the run" });
  expect(await all.isEnabled()).toBe(true);
  await page.locator("#chart-cwnd .u-over").dblclick({ position: { x: 80, y: 20 } });
  expect(await all.isDisabled()).toBe(true);
});
