import type { Network } from "./network";

/** A link in the picture: its column, and whether packets cross it from left to right. */
export interface Placed {
  readonly link: number;
  readonly column: number;
  readonly isForward: boolean;
}

type Path = readonly number[];

/** By link: the longest way of links before it; along the paths. */
function depths(paths: readonly Path[], links: number): Map<number, number> {
  const depth = new Map<number, number>();
  // As many rounds as a chain of all links needs; a path that comes back to a link ends them.
  for (let round = 0; round <= links; round++) {
    let hasChanged = false;
    for (const path of paths) {
      path.forEach((link, at) => {
        const before = at === 0 ? -1 : (depth.get(path[at - 1] as number) ?? 0);
        if ((depth.get(link) ?? -1) >= before + 1) return;
        depth.set(link, before + 1);
        hasChanged = true;
      });
    }
    if (!hasChanged) break;
  }
  return depth;
}

/** Moves links without a queue to the column before the link that follows them. */
function closeUp(paths: readonly Path[], depth: Map<number, number>, network: Network): void {
  for (let at = Math.max(0, ...paths.map((path) => path.length)) - 2; at >= 0; at--) {
    const first = new Map<number, number>();
    for (const path of paths) {
      const [link, next] = [path[at], path[at + 1]];
      if (link === undefined || next === undefined) continue;
      const column = (depth.get(next) ?? 0) - 1;
      first.set(link, Math.min(first.get(link) ?? column, column));
    }
    for (const [link, column] of first) {
      if (network.links[link]?.rate === null) depth.set(link, column);
    }
  }
}

/**
 * Columns of the links. The links of the first flow's path run from left to right, those of its way
 * back from right to left; other flows go the way that these give.
 */
export function place(network: Network): { placed: Placed[]; columns: number } {
  const isForward = new Map<number, boolean>();
  const rightward: Path[] = [];
  const leftward: Path[] = [];
  for (const { path, reversePath } of network.routes) {
    const known = path.map((link) => isForward.get(link)).find((way) => way !== undefined);
    const goesRight = known ?? true;
    (goesRight ? rightward : leftward).push(path);
    (goesRight ? leftward : rightward).push(reversePath);
    for (const link of path) if (!isForward.has(link)) isForward.set(link, goesRight);
    for (const link of reversePath) if (!isForward.has(link)) isForward.set(link, !goesRight);
  }
  const right = depths(rightward, network.links.length);
  const turned = leftward.map((path) => [...path].reverse());
  const left = depths(turned, network.links.length);
  closeUp(rightward, right, network);
  closeUp(turned, left, network);
  const placed = [...isForward].map(([link, way]) => ({
    link,
    isForward: way,
    column: (way ? right : left).get(link) ?? 0,
  }));
  const columns = 1 + Math.max(0, ...placed.map(({ column }) => column));
  return { placed, columns };
}
