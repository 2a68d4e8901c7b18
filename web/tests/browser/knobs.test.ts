import { expect, test } from "vitest";
import { open } from "./harness";
import { figures, figuresAre, figuresChange, pictured, pythonReady, shows } from "./page-steps";

test("knobs change the run from the time shown on, and each change can be taken back", async () => {
  const page = await open("#preset=slow-start");
  await pictured(page);
  await pythonReady(page);
  const knobs = page.locator(".part-knobs");
  const changes = page.locator(".changes li");
  await page.locator("#chart-cwnd .u-over").click({ position: { x: 200, y: 30 } });
  const before = await figures(page);
  const rate = knobs.getByLabel("rate", { exact: true });
  await rate.fill("3Mbit/s");
  await rate.press("Enter");
  await changes.first().waitFor();
  await figuresChange(page, before);
  expect(await changes.allInnerTexts()).toEqual([expect.stringContaining("rate 3Mbit/s")]);
  const loss = knobs.getByLabel("loss", { exact: true });
  await loss.fill("1%");
  await loss.press("Enter");
  await changes.nth(1).waitFor();
  await knobs.getByRole("button", { name: "New flow" }).click();
  await shows(page, ["reno", "cubic"]);
  await knobs.getByLabel("Algorithm", { exact: true }).selectOption("bbr");
  await knobs.getByRole("button", { name: "Change flow to this algorithm" }).click();
  await shows(page, ["reno", "cubic", "reno-bbr (bbr)"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await shows(page, ["reno", "cubic"]);
  await page.keyboard.press("Control+Shift+Z");
  await shows(page, ["reno", "cubic", "reno-bbr (bbr)"]);
  for (let left = await changes.count(); left > 0; left = await changes.count()) {
    await changes.first().getByRole("button", { name: "Remove" }).click();
    await page.waitForFunction(
      (count) => document.querySelectorAll(".changes li").length < count,
      left,
    );
  }
  await figuresAre(page, before);
});

test("a slider sets a rate", async () => {
  const page = await open("#preset=slow-start");
  await pictured(page);
  await pythonReady(page);
  const before = await figures(page);
  await page.getByLabel("rate: slider").press("PageUp");
  await figuresChange(page, before);
  const text = await page.locator(".part-knobs").getByLabel("rate", { exact: true }).inputValue();
  expect(Number.parseFloat(text)).toBeGreaterThan(10);
});
