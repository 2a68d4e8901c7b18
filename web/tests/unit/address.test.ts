import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import {
  AddressProblem,
  presetAddress,
  readAddress,
  scenarioAddress,
} from "../../src/address/address";
import { raw } from "../browser/attacks";

const SCENARIO = {
  name: "größer",
  seed: { $integer: "9223372036854775807" },
  network: { kind: "dumbbell", rate: "10Mbit/s", rtt: "60ms", buffer: 0.5 },
  flows: [{ cc: "cubic(beta=0.8)", count: 3 }],
};

test("a scenario comes back from its address as it was", async () => {
  const files = { "a b.trace": "1\n2\n30\n" };
  const scenario = { ...SCENARIO, links: [{ rate: { trace: "a b.trace" } }] };
  const address = await scenarioAddress({ scenario, files, now: 12.5 });
  expect(address).toMatch(/^#s=[\w-]+$/);
  expect(await readAddress(address)).toEqual({
    kind: "scenario",
    scenario,
    files,
    now: 12.5,
  });
});

test("files and the time may be left out", async () => {
  const address = await scenarioAddress({ scenario: SCENARIO, files: {} });
  expect(await readAddress(address)).toEqual({ kind: "scenario", scenario: SCENARIO, files: {} });
});

test("an address that Python wrote is read", async () => {
  const program = `
import base64, json, sys, zlib
text = json.dumps({"scenario": json.load(sys.stdin)}).encode()
packer = zlib.compressobj(9, wbits=-15)
packed = packer.compress(text) + packer.flush()
print(base64.urlsafe_b64encode(packed).rstrip(b"=").decode())`;
  const text = execFileSync("python3", ["-c", program], { input: JSON.stringify(SCENARIO) });
  const read = await readAddress(`#s=${text.toString().trim()}`);
  expect(read).toEqual({ kind: "scenario", scenario: SCENARIO, files: {} });
});

test("presets and the empty address", async () => {
  expect(await readAddress(presetAddress("slow-start"))).toEqual({
    kind: "preset",
    name: "slow-start",
  });
  expect(await readAddress("")).toEqual({ kind: "none" });
  expect(await readAddress("#")).toEqual({ kind: "none" });
});

test.each([
  ["#x", "neither preset=NAME nor s=SCENARIO"],
  ["#preset=../secret", "it names no preset"],
  ["#preset=%E0%A4%A", "it names no preset"],
  ["#s=", "cannot be unpacked"],
  ["#s=!!!", "cannot be unpacked"],
  ["#s=AAAA", "cannot be unpacked"],
  ["#s=S0ktLlFIK8rPVShOTi4tAgA", "cannot be unpacked"],
])("garbage, %s, is one sentence", async (hash, sentence) => {
  const problem = await readAddress(hash).then(
    () => null,
    (error: unknown) => error,
  );
  expect(problem).toBeInstanceOf(AddressProblem);
  expect((problem as Error).message).toContain(sentence);
});

test.each([
  [{ scenario: 3 }, "it has no scenario"],
  [{ scenario: {}, files: { a: 1 } }, "its files are not text"],
  [{ scenario: {}, files: {}, now: "soon" }, "its time is not a number"],
])("%j is refused", async (data, sentence) => {
  await expect(readAddress(raw(JSON.stringify(data)))).rejects.toThrow(sentence);
});

test("a scenario that unpacks to more than any computer should is refused", async () => {
  const scenario = { name: " ".repeat(17 * 1024 * 1024) };
  const address = await scenarioAddress({ scenario, files: {} });
  await expect(readAddress(address)).rejects.toThrow("larger than 16 MiB");
}, 30_000);
