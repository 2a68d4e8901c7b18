import { follow } from "./address/history";
import { WorkerEngine } from "./engine/engine";
import { createLaboratory } from "./laboratory";
import { mountPage } from "./page";
import { servedPresets } from "./presets";
import type { Resolver } from "./resolver/contract";

/**
 * Builds the page and shows what its address says. `resolverAfter` gets the first picture, which a
 * resolver that takes long to load waits for.
 */
export async function start(
  module: Promise<WebAssembly.Module>,
  resolverAfter: (picture: Promise<void>) => Resolver,
): Promise<void> {
  const place = document.querySelector<HTMLElement>("#page");
  if (!place) throw new Error("the page has no element #page");
  let pictured: () => void = () => undefined;
  const picture = new Promise<void>((resolve) => {
    pictured = resolve;
  });
  const [engine, presets] = [new WorkerEngine(module), servedPresets()];
  const laboratory = createLaboratory(engine, resolverAfter(picture));
  const stop = laboratory.run.watch((run) => {
    if (run) pictured();
  });
  leaveNothing(() => {
    engine.end();
    laboratory.resolver.end();
  });
  const history = follow(laboratory, presets);
  mountPage(place, laboratory, presets, history);
  await history.start();
  stop();
}

/**
 * Ends the workers of a page that is left. A browser may keep such a page for Back, workers and
 * all: Firefox 153 kept four, and the engine of a fifth never answered. A page that comes back is
 * loaded anew; its address holds what it showed.
 */
function leaveNothing(end: () => void): void {
  window.addEventListener("pagehide", end);
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
}
