import { beforeAll, describe, expect, test } from "vitest";
import type { Json, Scenario } from "../../src/resolver/contract";
import type { Python } from "../../src/resolver/python";
import broken from "./broken.json";
import { loadPython } from "./python";
import { reference } from "./reference";

const { plans, messages, summaries } = reference("plans", "messages", "summaries");

let python: Python;

beforeAll(async () => {
  python = await loadPython();
}, 120_000);

/** A value after its way to the page and back. */
const crossed = <T extends Json>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

function parse(toml: string, files: Readonly<Record<string, string>>, file: string): Scenario {
  return crossed(python.ask("parse", { toml, files, file })) as Scenario;
}

describe("the plan is the command line's, byte for byte", () => {
  test.each(plans)("$file", ({ file, toml, files, plan }) => {
    const scenario = parse(toml, files, file);
    expect(python.ask("resolve", { scenario, files })).toBe(plan);
    const again = parse(python.ask("toToml", { scenario, files }) as string, files, file);
    expect(python.ask("resolve", { scenario: again, files })).toBe(plan);
  });
});

describe("the message is the command line's", () => {
  test.each(Object.entries(broken))("%s", (name, toml) => {
    const ask = () => {
      const scenario = parse(toml, {}, "broken.toml");
      python.ask("resolve", { scenario, files: {} });
    };
    expect(ask).toThrow(expect.objectContaining({ message: messages[name] }));
  });
});

describe("the summary is the command line's, byte for byte", () => {
  test.each(summaries)("$file", ({ file, toml, summary }) => {
    const scenario = parse(toml, {}, file);
    expect(python.ask("summary", { scenario, files: {} })).toBe(summary);
  });
});

test("integers that a double does not hold cross exactly", () => {
  const toml =
    'duration = "1s"\nseed = 9223372036854775807\nnetwork = { kind = "dumbbell", '.concat(
      'bottleneck = { rate = "1Mbit/s", delay = "30ms" } }\n[[flows]]\ncc = "reno"\n',
    );
  const scenario = parse(toml, {}, "large.toml");
  expect(scenario.seed).toEqual({ $integer: "9223372036854775807" });
  expect(python.ask("resolve", { scenario, files: {} })).toContain(
    '"seed": 9223372036854775807,',
  );
  expect(python.ask("toToml", { scenario, files: {} })).toContain("seed = 9223372036854775807\n");
  expect(python.ask("toPython", { scenario, files: {} })).toContain("seed=9223372036854775807,");
});

test("a file outside of the scenario's folder is refused", () => {
  const [one] = plans;
  const scenario = parse(one?.toml ?? "", one?.files ?? {}, "one.toml");
  const { duration, flows } = scenario;
  const rate = { trace: "../other.trace" };
  const named = {
    duration: duration ?? "1s",
    flows: flows ?? [],
    network: { kind: "dumbbell", bottleneck: { rate, delay: "10ms" } },
  };
  const files = { "../other.trace": "1\n" };
  expect(() => python.ask("resolve", { scenario: named, files })).toThrow(
    "../other.trace: a file that the page reads must lie in the scenario's",
  );
});

test("a class of one's own is refused", () => {
  const toml =
    'duration = "1s"\nnetwork = { kind = "dumbbell", bottleneck = { rate = "1Mbit/s", '.concat(
      'delay = "30ms" } }\n[[flows]]\ncc = "python:mine:Mine"\n',
    );
  expect(() => parse(toml, {}, "own.toml")).toThrow(
    "own.toml: flows.0.cc: 'python:mine:Mine': a class of your own cannot run in the page",
  );
});
