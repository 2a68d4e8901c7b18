import { expect, test } from "vitest";
import { Instance } from "../../src/engine/wasm";
import { expected } from "../identity/expected";
import { engineModule } from "./module";

const module = engineModule();

test("all examples and algorithms give the digests of the compiled core", () => {
  const plans = expected("digests");
  expect(plans.length).toBeGreaterThan(100);
  const different = plans.filter(({ plan, digest }) => {
    const instance = new Instance(module);
    instance.start(plan);
    while (instance.advance(100_000) >= 0);
    return instance.finish().digest !== digest;
  });
  expect(different.map(({ name }) => name)).toEqual([]);
}, 240_000);

test("the resolver gets the answers of the compiled core", () => {
  const instance = new Instance(module);
  for (const { question, answer } of expected("answers")) {
    const text = JSON.stringify(question);
    expect(JSON.parse(instance.ask(text)), text).toEqual(answer);
  }
}, 60_000);
