import { expect, test } from "vitest";
import { expected } from "../identity/expected";
import { open } from "./harness";

test("each preset's run has the digest of the command line's", async () => {
  const presets = expected("presets");
  const [first = "", ...others] = Object.keys(presets);
  const page = await open(`#preset=${first}`);
  const digest = page.locator(".digest code").first();
  const found: Record<string, string> = { [first]: (await digest.textContent()) ?? "" };
  for (const name of others) {
    const before = Object.values(found);
    await page.evaluate((to) => {
      location.hash = to;
    }, `preset=${name}`);
    await expect
      .poll(async () => before.includes((await digest.textContent()) ?? ""), { timeout: 20_000 })
      .toBe(false);
    found[name] = (await digest.textContent()) ?? "";
  }
  expect(found).toEqual(presets);
}, 120_000);

test("the newest address wins, even if an older one loads longer", async () => {
  const page = await open();
  await page.route("**/presets/cellular.json", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await page.evaluate(() => {
    location.hash = "preset=cellular";
  });
  await page.waitForTimeout(200);
  await page.evaluate(() => {
    location.hash = "preset=cubic";
  });
  const digest = page.locator(".digest code").first();
  const { cubic } = expected("presets");
  await expect.poll(() => digest.textContent(), { timeout: 20_000 }).toBe(cubic);
  await page.waitForTimeout(2500);
  expect(await digest.textContent()).toBe(cubic);
});
