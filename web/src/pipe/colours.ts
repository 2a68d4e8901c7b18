import { drawnFlows } from "../charts/flows";
import type { RunResult } from "../engine/contract";
import type { Network } from "./network";
import type { Palette } from "./palette";

/** By route: index of its colour, as in the charts; null: there are more flows than colours. */
export function colourIndices(run: RunResult, network: Network): (number | null)[] {
  const drawn = drawnFlows(run).map(({ sampled }) => sampled);
  // Streams, which the charts of flows do not draw, follow.
  const streams = network.routes.length - network.flows;
  const all = [...drawn, ...Array.from({ length: streams }, (_, at) => network.flows + at)];
  return network.routes.map((_, route) => {
    const place = all.indexOf(route);
    return place < 0 ? null : place % COLOURS;
  });
}

/** Number of colours of flows. */
const COLOURS = 10;

export function colourOf(
  palette: Palette,
  indices: readonly (number | null)[],
  route: number,
): string {
  const index = indices[route];
  return index === null || index === undefined
    ? palette.quiet
    : (palette.flows[index] ?? palette.ink);
}
