import { readFileSync } from "node:fs";

/** Two flows, CUBIC and BBR, with losses, for 5 s: the plan of the engine's own tests. */
export const PLAN = readFileSync(
  new URL("../../../crates/web/src/run/plan.json", import.meta.url),
  "utf-8",
);

/** A plan with one entry replaced. */
export function changed(key: string, value: unknown): string {
  return JSON.stringify({ ...(JSON.parse(PLAN) as object), [key]: value });
}
