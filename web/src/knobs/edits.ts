/** Changes of a scenario at a time of its run, each written as a scheduled change. */

import type { Json, Scenario } from "../resolver/contract";
import { flowNames, freeName } from "../scenario/flows-form";
import { keyPath } from "../scenario/link";
import { flowsOf, getIn, isTable, type Path, setIn } from "../scenario/tree";
import { readTime, writeMoment } from "./quantity";
import { readSchedule, readSteps, type Step, stepAt, withStep, writeSchedule } from "./steps";

/** A change cannot be made: one sentence. */
export class KnobProblem extends Error {}

export type Quantity = "rate" | "delay" | "limit" | "loss";

const NOUNS: Readonly<Record<Quantity, string>> = {
  rate: "rate",
  delay: "delay",
  limit: "buffer",
  loss: "loss",
};

/** What a link has where the scenario says nothing. */
const DEFAULTS: Readonly<Record<Quantity, Json>> = {
  rate: "10Mbit/s",
  delay: "0ms",
  limit: "1bdp",
  loss: "0%",
};

function scheduled(scenario: Scenario, link: Path, key: Quantity): Json {
  return getIn(scenario, keyPath(scenario, link, key)) ?? DEFAULTS[key];
}

/** Loss at random as a plain share; other losses stay as they are. */
function plainLoss(value: Json): Json {
  if (!isTable(value) || "schedule" in value) return value;
  const keys = Object.keys(value).filter((key) => key !== "kind");
  const isRandom = value.kind === undefined || value.kind === "bernoulli";
  const share = value.p ?? value.rate;
  return isRandom && keys.length === 1 && share !== undefined ? share : value;
}

/** The steps of a link's quantity; a repeating schedule, a trace and bursts have none. */
function stepsOf(scenario: Scenario, link: Path, key: "rate" | "limit" | "loss") {
  const value = scheduled(scenario, link, key);
  const plain = key === "loss" ? plainLoss(value) : value;
  const schedule = readSchedule(plain);
  return schedule && schedule.period === undefined ? schedule.steps : null;
}

function delaySteps(scenario: Scenario, link: Path): readonly Step[] | null {
  const value = getIn(scenario, [...link, "delay_schedule"]);
  if (value === undefined) return [];
  if (!isTable(value)) return readSteps(value);
  return value.period === undefined ? readSteps(value.steps) : null;
}

/** One-way delay as the scenario writes it; the half of a dumbbell's `rtt`. */
function baseDelay(scenario: Scenario, link: Path): Json {
  const path = keyPath(scenario, link, "delay");
  const value = getIn(scenario, path) ?? DEFAULTS.delay;
  if (path.at(-1) !== "rtt") return value;
  const rtt = readTime(String(value));
  return rtt === null ? value : `${Number((rtt * 500).toPrecision(12))}ms`;
}

/** The value of a link's quantity at a time, as text; null: it is not one that steps can change. */
export function valueAt(
  scenario: Scenario,
  link: Path,
  key: Quantity,
  time: number,
): string | null {
  const steps = key === "delay" ? delaySteps(scenario, link) : stepsOf(scenario, link, key);
  if (!steps) return null;
  const value = stepAt(steps, time) ?? (key === "delay" ? baseDelay(scenario, link) : undefined);
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

function refuse(key: Quantity): never {
  throw new KnobProblem(
    `the ${NOUNS[key]} of this link follows a trace, a period or a process of its own: ` +
      "change it in the scenario",
  );
}

/** The scenario with another value of a link's quantity from a time on. */
export function setAt(
  scenario: Scenario,
  link: Path,
  key: Quantity,
  time: number,
  value: string,
): Scenario {
  if (key === "delay") return setDelayAt(scenario, link, time, value);
  const path = keyPath(scenario, link, key);
  if (time <= 0 && getIn(scenario, path) === undefined) return setIn(scenario, path, value);
  const steps = stepsOf(scenario, link, key);
  if (!steps) return refuse(key);
  return setIn(scenario, path, writeSchedule(withStep(steps, time, value)));
}

function setDelayAt(scenario: Scenario, link: Path, time: number, value: string): Scenario {
  const steps = delaySteps(scenario, link);
  if (!steps) return refuse("delay");
  const next = withStep(steps, time, value);
  const old = getIn(scenario, [...link, "delay_schedule"]);
  const written: Json = isTable(old) ? { ...old, steps: next } : next;
  return setIn(scenario, [...link, "delay_schedule"], written);
}

/** The scenario with one flow more from a time on. */
export function addFlowAt(scenario: Scenario, cc: string, time: number): Scenario {
  const flows = flowsOf(scenario);
  const name = freeName(cc.split("(")[0]?.replaceAll("+", "-") ?? cc, flowNames(flows));
  const flow: Json = { name, cc, ...(time > 0 ? { start: writeMoment(time) } : {}) };
  return setIn(scenario, ["flows", flows.length], flow);
}

/** The scenario in which an entry of flows goes on with another algorithm from a time on. */
export function changeCcAt(
  scenario: Scenario,
  index: number,
  cc: string,
  time: number,
): Scenario {
  const flows = flowsOf(scenario);
  const flow = flows[index];
  if (!flow) throw new KnobProblem("there is no such flow any more");
  const start = readTime(String(flow.start ?? "0s"));
  if (start === null) {
    throw new KnobProblem("this flow starts at random: change its algorithm in the scenario");
  }
  const stop = flow.stop === undefined ? null : readTime(String(flow.stop));
  if (stop !== null && stop <= time) throw new KnobProblem("this flow has stopped by then");
  if (time <= start) return setIn(scenario, ["flows", index, "cc"], cc);
  const names = flowNames(flows);
  const name = freeName(`${names[index]}-${cc.split(/[+(]/).at(-1) === cc ? cc : "new"}`, names);
  const stopped = setIn(scenario, ["flows", index, "stop"], writeMoment(time));
  const next: Json = { ...flow, name, cc, start: writeMoment(time) };
  return setIn(stopped, ["flows", flows.length], next);
}

/** A scheduled change that a scenario holds. */
export interface Change {
  /** Time from which on it holds, s. */
  readonly time: number;
  readonly sentence: string;
  /** The scenario without it. */
  without(): Scenario;
}

function dropped(steps: readonly Step[], index: number): readonly Step[] {
  return steps.filter((_, place) => place !== index);
}

function linkChanges(scenario: Scenario, link: Path, title: string): Change[] {
  const of = (key: "rate" | "limit" | "loss"): Change[] => {
    const steps = stepsOf(scenario, link, key) ?? [];
    return steps.flatMap(([moment, value], index) => {
      if (index === 0) return [];
      return {
        time: readTime(moment) ?? 0,
        sentence: `${title}${NOUNS[key]} ${String(value)}`,
        without: () =>
          setIn(scenario, keyPath(scenario, link, key), writeSchedule(dropped(steps, index))),
      };
    });
  };
  const delays = delaySteps(scenario, link) ?? [];
  const ofDelay = delays.map(([moment, value], index) => ({
    time: readTime(moment) ?? 0,
    sentence: `${title}delay ${String(value)}`,
    without: () => {
      const left = dropped(delays, index);
      const path = [...link, "delay_schedule"];
      const old = getIn(scenario, path);
      const written: Json = isTable(old) ? { ...old, steps: left } : left;
      return setIn(scenario, path, left.length > 0 ? written : undefined);
    },
  }));
  return [...of("rate"), ...of("limit"), ...of("loss"), ...ofDelay];
}

function flowChanges(scenario: Scenario): Change[] {
  const flows = flowsOf(scenario);
  const names = flowNames(flows);
  return flows.flatMap((flow, index) => {
    const start = readTime(String(flow.start ?? "0s")) ?? 0;
    const stop = flow.stop === undefined ? null : readTime(String(flow.stop));
    const changes: Change[] = [];
    if (start > 0 && flows.length > 1) {
      changes.push({
        time: start,
        sentence: `flow ${names[index]} starts (${String(flow.cc ?? "UDP")})`,
        without: () => setIn(scenario, ["flows", index], undefined),
      });
    }
    if (stop !== null) {
      changes.push({
        time: stop,
        sentence: `flow ${names[index]} stops`,
        without: () => setIn(scenario, ["flows", index, "stop"], undefined),
      });
    }
    return changes;
  });
}

/** All scheduled changes of a scenario, in order of time. */
export function changesOf(scenario: Scenario, links: readonly Path[]): Change[] {
  const hasSeveral = links.length > 1;
  const ofLinks = links.flatMap((link, index) =>
    linkChanges(scenario, link, hasSeveral ? `link ${index + 1}: ` : ""),
  );
  return [...ofLinks, ...flowChanges(scenario)].sort((a, b) => a.time - b.time);
}
