import type { Scenario } from "../resolver/contract";
import { keyPath, linkPaths } from "./link";
import { setIn } from "./tree";

/** The scenario with a Mahimahi trace as the rate of its first link. */
export function withTrace(scenario: Scenario, file: string): Scenario {
  const [link] = linkPaths(scenario);
  return link ? setIn(scenario, keyPath(scenario, link, "rate"), { trace: file }) : scenario;
}
