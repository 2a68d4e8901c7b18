import type { Page } from "playwright-core";
import { scenarioAddress } from "../../src/address/address";
import type { Files, Scenario } from "../../src/resolver/contract";

/** Waits for the first picture. */
export async function pictured(page: Page): Promise<void> {
  await page.locator("#chart-goodput canvas").waitFor();
}

/** Waits until scenarios can be changed. */
export async function pythonReady(page: Page): Promise<void> {
  await page.locator(".part-knobs .part-inside:not(.is-waiting)").waitFor({ timeout: 50_000 });
}

/** Names of the flows that the charts show. */
export function flowNames(page: Page): Promise<string[]> {
  return page.locator(".charts-flow").allTextContents();
}

/** Waits until the page shows flows with these names. */
export async function shows(page: Page, names: readonly string[]): Promise<void> {
  const wanted = names.join();
  await page.waitForFunction(
    (text) =>
      [...document.querySelectorAll(".charts-flow")].map((one) => one.textContent).join() ===
      text,
    wanted,
    { timeout: 50_000 },
  );
}

/** The figures of the run as the table shows them. */
export function figures(page: Page): Promise<string> {
  return page.locator(".summary table").first().innerText();
}

/** Waits until the figures are other ones than before. */
export async function figuresChange(page: Page, before: string): Promise<void> {
  await page.waitForFunction(
    (text) => document.querySelector<HTMLElement>(".summary table")?.innerText !== text,
    before,
    { timeout: 50_000 },
  );
}

/** Waits until the figures are these. */
export async function figuresAre(page: Page, wanted: string): Promise<void> {
  await page.waitForFunction(
    (text) => document.querySelector<HTMLElement>(".summary table")?.innerText === text,
    wanted,
    { timeout: 50_000 },
  );
}

/** Sets a field of the form by its name, such as `network.bottleneck.rate`. */
export async function setField(page: Page, name: string, value: string): Promise<void> {
  await page.locator(`.scenario-form [name="${name}"]`).fill(value);
}

export function addressOf(scenario: Scenario, files: Files = {}): Promise<string> {
  return scenarioAddress({ scenario, files });
}

export const TOML = `
name = "dropped"
duration = "5s"
record = { samples = "10ms" }
[network]
kind = "dumbbell"
rate = "20Mbit/s"
rtt = "40ms"
[[flows]]
name = "bertha"
cc = "bbr"
`;

/** Drops a file onto the page. */
export async function drop(page: Page, name: string, content: string): Promise<void> {
  await page.evaluate(
    ([file, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text ?? ""], file ?? ""));
      for (const kind of ["dragenter", "dragover", "drop"]) {
        const event = new DragEvent(kind, {
          bubbles: true,
          cancelable: true,
          dataTransfer: data,
        });
        document.querySelector("#page")?.dispatchEvent(event);
      }
    },
    [name, content],
  );
}
