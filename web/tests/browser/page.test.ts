import { expect, test } from "vitest";
import { expected } from "../identity/expected";
import { open } from "./harness";

test("each preset's run has the digest of the command line's", async () => {
  const page = await open();
  const found: Record<string, string> = {};
  const presets = expected("presets");
  const digest = page.locator(".digest code").first();
  for (const name of Object.keys(presets)) {
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
