import type { Laboratory } from "../laboratory";
import { type LimitPlan, readPlan } from "../plan";
import type { Resolved, Scenario } from "../resolver/contract";
import { keyPath, linkPaths } from "../scenario/link";
import { getIn, isTable, setIn } from "../scenario/tree";

function limitOf(link: {
  readonly qdisc: LimitPlan & { readonly limit?: LimitPlan };
}): LimitPlan {
  return link.qdisc.limit ?? link.qdisc;
}

function written({ limit_bytes: bytes, limit_packets: packets }: LimitPlan): string | null {
  if (typeof packets === "number") return `${packets} packets`;
  return typeof bytes === "number" ? `${bytes} bytes` : null;
}

/**
 * Keeps the limits of queues that another scenario had. A limit in bdp follows the mean RTT of all
 * flows, so that a flow that comes later would change it from the start.
 */
function withLimitsOf(before: Resolved, after: Resolved): Scenario | null {
  const [old, next] = [readPlan(before.plan), readPlan(after.plan)];
  let scenario = after.scenario;
  linkPaths(scenario).forEach((path, index) => {
    const key = keyPath(scenario, path, "limit");
    if (isTable(getIn(scenario, key))) return;
    // The bottlenecks of a dumbbell and a parking lot come first in a plan.
    const [was, is] = [old.links[index], next.links[index]];
    const text = was && written(limitOf(was));
    if (!was || !is || !text || text === written(limitOf(is))) return;
    scenario = setIn(scenario, key, text);
  });
  return scenario === after.scenario ? null : scenario;
}

/** Shows a scenario that has one more change at a time, and equals the one shown before it. */
export async function apply(laboratory: Laboratory, scenario: Scenario): Promise<void> {
  const before = laboratory.resolved.get();
  if (!before) return;
  try {
    laboratory.problem.set(null);
    let after = await laboratory.resolver.resolve(scenario, before.files);
    const kept = withLimitsOf(before, after);
    if (kept) after = await laboratory.resolver.resolve(kept, before.files);
    await laboratory.open(after);
  } catch (error) {
    laboratory.problem.set(error instanceof Error ? error.message : String(error));
  }
}
