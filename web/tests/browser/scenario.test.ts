import { expect, test } from "vitest";
import { open } from "./harness";
import {
  figures,
  figuresAre,
  figuresChange,
  pictured,
  pythonReady,
  setField,
  shows,
} from "./page-steps";

test("an edit of the form is run, and Back shows the run before it", async () => {
  const page = await open("#preset=slow-start");
  await pictured(page);
  const first = await figures(page);
  await pythonReady(page);
  await setField(page, "network.bottleneck.rate", "4Mbit/s");
  await figuresChange(page, first);
  await page.waitForURL(/#s=/);
  const second = await figures(page);
  const address = page.url();
  await page.locator(".scenario-form [name='flows.0.cc']").selectOption("cubic");
  await figuresChange(page, second);
  // The address is packed while the figures are drawn.
  await page.waitForURL(({ href }) => href !== address);
  await page.goBack();
  await figuresAre(page, second);
  await page.goBack();
  await figuresAre(page, first);
  expect(new URL(page.url()).hash).toBe("#preset=slow-start");
  await page.goForward();
  await figuresAre(page, second);
});

test("a wrong value gets one sentence, and the run stays", async () => {
  const page = await open("#preset=slow-start");
  await pictured(page);
  await pythonReady(page);
  const before = await figures(page);
  await setField(page, "network.bottleneck.rate", "4Mbot/s");
  await page.getByRole("alert").getByText("network.bottleneck.rate").waitFor();
  expect(await figures(page)).toBe(before);
  await setField(page, "network.bottleneck.rate", "5Mbit/s");
  await figuresChange(page, before);
  expect(await page.getByRole("alert").innerText()).toBe("");
});

test("parameters of disciplines and algorithms, and a second bottleneck", async () => {
  const page = await open("#preset=slow-start");
  await pictured(page);
  await pythonReady(page);
  const form = page.locator(".scenario-form");
  let before = await figures(page);
  await form.locator("[name='network.bottleneck.qdisc']").selectOption("codel");
  await figuresChange(page, before);
  before = await figures(page);
  await form
    .getByText(/parameters/)
    .first()
    .click();
  await setField(page, "network.bottleneck.qdisc.target", "20ms");
  await figuresChange(page, before);
  before = await figures(page);
  await form.locator("[name='network.kind']").selectOption("parking-lot");
  await page.locator(".summary").getByText("bottleneck2", { exact: true }).waitFor();
  await form.getByRole("button", { name: "Add a flow" }).click();
  await shows(page, ["reno", "cubic"]);
});

test("the TOML text is the scenario, and can be edited", async () => {
  const page = await open("#preset=slow-start");
  await pictured(page);
  await pythonReady(page);
  await page.getByText("As TOML").click();
  const area = page.getByLabel("Scenario as TOML");
  await page.waitForFunction(() =>
    document.querySelector("textarea")?.value.includes("[[flows]]"),
  );
  const text = await area.inputValue();
  await area.fill(text.replace('name = "reno"', 'name = "rosa"'));
  await shows(page, ["rosa (reno)"]);
  await area.fill("this is no TOML");
  await page.locator("#editor-problem").getByText(/./).waitFor();
  expect(await page.locator("#editor-problem").innerText()).not.toContain("\n");
});
