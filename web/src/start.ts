import { follow } from "./address/history";
import type { Laboratory } from "./laboratory";
import { mountPage } from "./page";
import type { Presets } from "./presets";

/** Builds the page and shows what its address says. */
export async function start(
  place: HTMLElement,
  laboratory: Laboratory,
  presets: Presets,
): Promise<void> {
  const history = follow(laboratory, presets);
  mountPage(place, laboratory, presets, history);
  await history.start();
}
