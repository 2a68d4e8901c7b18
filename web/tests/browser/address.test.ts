import { expect, test } from "vitest";
import { open } from "./harness";
import { addressOf, drop, figures, pictured, pythonReady, shows, TOML } from "./page-steps";

test("an address of garbage gets one line and the first preset", async () => {
  const page = await open("#s=garbage");
  await pictured(page);
  const alert = page.getByRole("alert");
  await alert.getByText("the address of this page is damaged").waitFor();
  await shows(page, ["reno"]);
});

test("a preset that is not there is named with those that are", async () => {
  const page = await open("#preset=slow-strat");
  await page.getByRole("alert").getByText("there is no preset 'slow-strat'").waitFor();
  await pictured(page);
});

test("an address holds a scenario, and what is wrong with it is said", async () => {
  const scenario = {
    duration: "5s",
    network: { kind: "dumbbell", rate: "5Mbit/s", rtt: "20ms" },
    flows: [{ name: "anna", cc: "cubic" }],
  };
  const page = await open(await addressOf(scenario));
  await shows(page, ["anna (cubic)"]);
  const address = await addressOf({ ...scenario, duration: "soon" });
  await page.evaluate((hash) => {
    location.hash = hash;
  }, address);
  await page.getByRole("alert").getByText("duration").waitFor();
  await shows(page, ["anna (cubic)"]);
});

test("a page that was left keeps no workers, and is loaded anew when it comes back", async () => {
  const page = await open("#preset=cubic");
  await pictured(page);
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent("pagehide")));
  await expect.poll(() => page.workers().length).toBe(0);
  await Promise.all([
    page.waitForEvent("load"),
    page.evaluate(() =>
      window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })),
    ),
  ]);
  await pictured(page);
  await shows(page, ["cubic"]);
});

test("a scenario and a trace are opened where they are dropped", async () => {
  const page = await open();
  await pictured(page);
  await pythonReady(page);
  await drop(page, "dropped.toml", TOML);
  await shows(page, ["bertha (bbr)"]);
  const before = await figures(page);
  await drop(page, "slow.trace", Array.from({ length: 20 }, (_, at) => `${at * 5}`).join("\n"));
  await page.getByText("The bottleneck's rate now follows slow.trace.").waitFor();
  await page.waitForFunction(
    (text) => document.querySelector<HTMLElement>(".summary table")?.innerText !== text,
    before,
  );
  await drop(page, "broken.toml", "[network\n");
  await page.getByRole("alert").getByText("broken.toml").waitFor();
  await drop(page, "empty.bin", "\0\0\0\0");
  await page.getByRole("alert").getByText("neither text nor a capture").waitFor();
});

test("a file is opened by its button", async () => {
  const page = await open();
  await pictured(page);
  const input = page.getByLabel("Open a scenario, a Mahimahi trace or a capture");
  await input.setInputFiles({
    name: "a.toml",
    mimeType: "text/plain",
    buffer: Buffer.from(TOML),
  });
  await shows(page, ["bertha (bbr)"]);
  expect(await page.locator("#preset").inputValue()).toBe("");
});
