import { expect, test } from "vitest";
import { expectAccessible, expectNoSidewaysScroll, open } from "./harness";

const LOOKS = [
  { width: 390, dark: false },
  { width: 390, dark: true },
  { width: 1280, dark: false },
  { width: 1280, dark: true },
];

test.each(LOOKS)("the page shows a run, $width px, dark: $dark", async (look) => {
  const page = await open("", look);
  await page.getByText(/events/).waitFor();
  expect(await page.title()).toContain("ackclock");
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});
