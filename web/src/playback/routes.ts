import { sampledFlows } from "../charts/flows";
import type { RunResult } from "../engine/contract";

/**
 * Index among the flows of the plan and of the tables of a row of `run.flows`. An aggregate has that
 * of its first connection; null: the row is no TCP connection.
 */
export function routeOf(run: RunResult, row: number): number | null {
  const flows = sampledFlows(run);
  const own = flows.find((flow) => flow.row === row);
  const name = run.flows[row]?.name;
  return (own ?? flows.find(({ counters }) => counters.part_of === name))?.sampled ?? null;
}
