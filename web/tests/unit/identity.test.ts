import { spawnSync } from "node:child_process";
import { beforeAll, expect, test } from "vitest";
import { Instance } from "../../src/engine/wasm";
import { engineModule } from "./module";

/** What the compiled core gives. */
interface Expected {
  readonly digests: readonly {
    readonly name: string;
    readonly plan: string;
    readonly digest: string;
  }[];
  readonly answers: readonly { readonly question: unknown; readonly answer: unknown }[];
}

const PYTHON = "../.venv/bin/python";
const MEGABYTE = 1024 * 1024;

function askPython(): Expected {
  const { error, status, stdout, stderr } = spawnSync(PYTHON, ["tests/identity/expected.py"], {
    encoding: "utf-8",
    maxBuffer: 256 * MEGABYTE,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Expected;
}

const module = engineModule();
let expected: Expected;
beforeAll(() => {
  expected = askPython();
}, 120_000);

test("all examples and algorithms give the digests of the compiled core", () => {
  expect(expected.digests.length).toBeGreaterThan(100);
  const different = expected.digests.filter(({ plan, digest }) => {
    const instance = new Instance(module);
    instance.start(plan);
    while (instance.advance(100_000) >= 0);
    return instance.finish().digest !== digest;
  });
  expect(different.map(({ name }) => name)).toEqual([]);
}, 120_000);

test("the resolver gets the answers of the compiled core", () => {
  const instance = new Instance(module);
  for (const { question, answer } of expected.answers) {
    const text = JSON.stringify(question);
    expect(JSON.parse(instance.ask(text)), text).toEqual(answer);
  }
});
