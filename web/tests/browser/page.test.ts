import { expect, test } from "vitest";
import { expected } from "../identity/expected";
import { expectAccessible, expectNoSidewaysScroll, open } from "./harness";

const LOOKS = [
  { width: 390, dark: false },
  { width: 390, dark: true },
  { width: 1280, dark: false },
  { width: 1280, dark: true },
];

test.each(LOOKS)("the page shows a run, $width px, dark: $dark", async (look) => {
  const page = await open("", look);
  await page.locator(".digest code").first().waitFor();
  expect(await page.title()).toContain("ackclock");
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

test("each preset's run has the digest of the command line's", async () => {
  const page = await open();
  const found: Record<string, string> = {};
  const presets = expected("presets");
  for (const name of Object.keys(presets)) {
    const before = Object.values(found);
    await page.evaluate((to) => {
      location.hash = to;
    }, `preset=${name}`);
    const digest = page.locator(".digest code").first();
    await expect
      .poll(async () => before.includes((await digest.textContent()) ?? ""), { timeout: 20_000 })
      .toBe(false);
    found[name] = (await digest.textContent()) ?? "";
  }
  expect(found).toEqual(presets);
}, 120_000);
