import type { RunResult } from "../engine/contract";
import type { Network } from "./network";
import type { Palette } from "./palette";

/** Most flows that have colours of their own, as in the charts. */
const MOST_COLOURED = 10;

/** By route: index of its colour; null: there are more flows than colours. */
export function colourIndices(run: RunResult, network: Network): (number | null)[] {
  const delivered = new Map(
    run.flows.map((flow) => [flow.name, Number(flow.goodput_bytes ?? 0)]),
  );
  const flows = network.routes
    .slice(0, network.flows)
    .map(({ name }, route) => ({ name, route }));
  const coloured = [...flows]
    .sort((a, b) => (delivered.get(b.name) ?? 0) - (delivered.get(a.name) ?? 0))
    .slice(0, MOST_COLOURED)
    .map(({ route }) => route)
    .sort((a, b) => a - b);
  const streams = network.routes.length - network.flows;
  const all = [...coloured, ...Array.from({ length: streams }, (_, at) => network.flows + at)];
  return network.routes.map((_, route) => {
    const place = all.indexOf(route);
    return place < 0 ? null : place % MOST_COLOURED;
  });
}

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
