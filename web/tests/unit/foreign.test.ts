import { beforeAll, expect, test } from "vitest";
import { readAddress, scenarioAddress } from "../../src/address/address";
import type { Python } from "../../src/resolver/python";
import {
  address,
  CODE,
  following,
  GARBAGE,
  MARK,
  MODULES,
  NAMES,
  raw,
  scenario,
} from "../browser/attacks";
import { loadPython } from "./python";

let python: Python;

beforeAll(async () => {
  python = await loadPython();
}, 120_000);

test.each(NAMES)("a trace named %j is refused", (name, sentence) => {
  const question = { scenario: following(name), files: { ...MODULES, [name]: "1\n" } };
  expect(() => python.ask("resolve", question)).toThrow(sentence);
});

test.each(CODE)("code of the user's own is refused, %j", (changes) => {
  const question = { scenario: { ...scenario("eve"), ...changes }, files: {} };
  expect(() => python.ask("resolve", question)).toThrow("cannot run in the page");
});

test("what Python imports late is its own, whatever the files are named", () => {
  const flows = [{ name: "anna", cc: "cubic" }];
  const question = { scenario: scenario("anna", { flows }), files: MODULES };
  for (const name of ["resolve", "summary", "toToml", "toPython"]) {
    const answer = String(python.ask(name, question));
    expect(answer, name).not.toContain(MARK);
  }
  expect(python.ask("toToml", question)).toContain('name = "anna"');
});

test.each(GARBAGE)("an address of garbage is one sentence", async (text, sentence) => {
  await expect(readAddress(raw(text))).rejects.toThrow(sentence);
});

test("an address that is longer than any scenario is not unpacked", async () => {
  const began = performance.now();
  const hash = `#s=${"A".repeat(40 * 1024 * 1024)}`;
  await expect(readAddress(hash)).rejects.toThrow("larger than 16 MiB");
  expect(performance.now() - began).toBeLessThan(1000);
});

test("an address holds the files that its scenario names, and no others", async () => {
  const files = { ...MODULES, "a.trace": "1\n" };
  const read = await readAddress(address(following("a.trace"), files));
  expect(read).toMatchObject({ files: { "a.trace": "1\n" } });
  expect("files" in read && Object.keys(read.files)).toEqual(["a.trace"]);
  const written = await scenarioAddress({ scenario: following("a.trace"), files });
  expect(written).toBe(
    await scenarioAddress({ scenario: following("a.trace"), files: { "a.trace": "1\n" } }),
  );
});
