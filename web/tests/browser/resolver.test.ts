import { expect, test } from "vitest";
import type { ScenarioProblem as Problem } from "../../src/resolver/contract";
import type { PythonResolver } from "../../src/resolver/resolver";
import { reference } from "../unit/reference";
import { openEngine } from "./harness";

declare global {
  var loadResolver: () => PythonResolver;
  var ScenarioProblem: typeof Problem;
  var resolver: PythonResolver;
}

test("every preset's summary is the command line's, byte for byte", async () => {
  const { summaries } = reference("summaries");
  const page = await openEngine();
  const loaded = await page.evaluate(async () => {
    const began = performance.now();
    globalThis.resolver = loadResolver();
    const shares: number[] = [];
    resolver.onProgress((share) => shares.push(share));
    await resolver.ready;
    return { shares, took: performance.now() - began };
  });
  console.info(`Python is ready after ${(loaded.took / 1000).toFixed(2)} s`);
  expect(loaded.shares.at(0)).toBe(0);
  expect(loaded.shares.at(-1)).toBe(1);
  expect(loaded.shares).toEqual([...loaded.shares].sort((a, b) => a - b));
  for (const { file, toml, summary } of summaries) {
    const found = await page.evaluate(
      async ([file, toml]) => resolver.summary(await resolver.parse(toml, {}, file), {}),
      [file, toml] as const,
    );
    expect(found, file).toBe(summary);
  }
  console.info(`${summaries.length} summaries are equal`);
});

test("a question waits until Python is there, and a wrong scenario gets its sentence", async () => {
  const page = await openEngine();
  const found = await page.evaluate(async () => {
    const resolver = loadResolver();
    const answer = await resolver
      .parse("duration = 10s", {}, "mine.toml")
      .catch((error) => error);
    const began = performance.now();
    const network = { kind: "dumbbell", rate: "10Mbit/s", rtt: "60ms" };
    const scenario = { duration: "10s", network, flows: [{ cc: "reno", count: 10 }] };
    for (let seed = 1; seed <= 20; seed++) await resolver.resolve({ ...scenario, seed }, {});
    const each = (performance.now() - began) / 20;
    return { is: answer instanceof ScenarioProblem, message: String(answer.message), each };
  });
  console.info(`a plan takes ${found.each.toFixed(1)} ms`);
  expect(found.is).toBe(true);
  expect(found.message).toBe(
    "mine.toml: line 1, column 14: not valid TOML: Expected newline or end of document after a " +
      "statement in 'duration = 10s'; a quantity is text: write \"10s\"",
  );
});
