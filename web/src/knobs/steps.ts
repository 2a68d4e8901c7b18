import type { Json } from "../resolver/contract";
import { isList, isTable } from "../scenario/tree";
import { readTime, writeMoment } from "./quantity";

/** A value from a moment of the run on, both as the scenario writes them. */
export type Step = readonly [moment: string, value: Json];

/** A schedule of a scenario: what it holds besides its steps, and the steps. */
export interface Schedule {
  readonly steps: readonly Step[];
  readonly period: Json | undefined;
}

/** The steps of a list of pairs. */
export function readSteps(value: Json | undefined): readonly Step[] | null {
  if (!isList(value)) return null;
  const steps = value.map((pair) => (isList(pair) && pair.length === 2 ? pair : null));
  if (steps.some((pair) => pair === null || typeof pair[0] !== "string")) return null;
  return steps as unknown as readonly Step[];
}

/** A value that is constant, or `{ schedule = [...] }`; null: it is something else. */
export function readSchedule(value: Json): Schedule | null {
  if (!isTable(value)) return { steps: [["0s", value]], period: undefined };
  const steps = readSteps(value.schedule);
  return steps && { steps, period: value.period };
}

function secondsOf([moment]: Step): number {
  return readTime(moment) ?? 0;
}

/** The steps with one more, which replaces a step at its moment. */
export function withStep(steps: readonly Step[], time: number, value: Json): readonly Step[] {
  const at = readTime(writeMoment(time)) ?? 0;
  const others = steps.filter((step) => Math.abs(secondsOf(step) - at) > 1e-9);
  const all: Step[] = [...others, [writeMoment(time), value]];
  return all.sort((a, b) => secondsOf(a) - secondsOf(b));
}

/** The value that holds at a time; undefined: the first step comes later. */
export function stepAt(steps: readonly Step[], time: number): Json | undefined {
  return steps.filter((step) => secondsOf(step) <= time + 1e-9).at(-1)?.[1];
}

/** Steps from the first on as a value: constant, if there is only one at the start. */
export function writeSchedule(steps: readonly Step[]): Json {
  const [first] = steps;
  return steps.length === 1 && first ? first[1] : { schedule: steps };
}
