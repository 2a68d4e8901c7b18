import { deflateRawSync } from "node:zlib";
import type { Files, Scenario } from "../../src/resolver/contract";

/** What an attack writes to the console where it has run code. */
export const MARK = "code of a stranger ran";

/** A module of Python that leaves its mark in three ways. */
export const MODULE = [
  `print(${JSON.stringify(MARK)})`,
  "try:",
  "    import js",
  `    js.console.log(${JSON.stringify(MARK)})`,
  "    js.globalThis.mark = True",
  "except Exception:",
  "    pass",
  `def dumps(*_, **__): return ${JSON.stringify(MARK)}`,
  "",
].join("\n");

/** Marks the page where HTML is taken for HTML. */
export const HTML = "<img src=x onerror=mark=1><svg onload=mark=1></svg>";

const BASE: Scenario = {
  duration: "1s",
  network: { kind: "dumbbell", bottleneck: { rate: "1Mbit/s", delay: "10ms" } },
};

/** A small scenario whose one flow has a name. */
export function scenario(flow: string, changes: Scenario = {}): Scenario {
  return { ...BASE, flows: [{ name: flow, cc: "reno" }], ...changes };
}

/** A small scenario whose rate follows a trace. */
export function following(trace: string, flow = "follower"): Scenario {
  const bottleneck = { rate: { trace }, delay: "10ms" };
  return scenario(flow, { network: { kind: "dumbbell", bottleneck } });
}

/** The part of an address that holds a text, whatever it is: an honest page would not write it. */
export function raw(text: string | Uint8Array): string {
  return `#s=${deflateRawSync(text, { level: 9 }).toString("base64url")}`;
}

/** The part of an address with all the files that its author likes. */
export function address(scenario: Scenario, files: Files = {}): string {
  return raw(JSON.stringify({ scenario, files }));
}

/** Files that an import, or Python's start, would find if their folder were searched. */
export const MODULES: Files = Object.fromEntries(
  [
    "tomli_w.py",
    "tomli_w/__init__.py",
    "js.py",
    "js/__init__.py",
    "attack.pth",
    "sitecustomize.py",
    "usercustomize.py",
    "encodings/__init__.py",
    "encodings/idna.py",
    "polars/__init__.py",
    "__pycache__/tomli_w.cpython-314.pyc",
    "importlib/resources.py",
    "ackclock/engine/run.py",
    "python314.zip",
    "_core.so",
  ].map((name) => [name, MODULE]),
);

const OUTSIDE = "must lie in the scenario's folder or below it";
const NO_CODE = "is no code";
const NO_NAME = "bytes of letters that can be printed";

/** Names that a scenario may give its trace, and what the page says to each. */
export const NAMES: readonly (readonly [name: string, sentence: string])[] = [
  ["tomli_w.py", NO_CODE],
  ["TOMLI_W.PY", NO_CODE],
  ["polars/__init__.py", NO_CODE],
  ["__pycache__/tomli_w.cpython-314.pyc", NO_CODE],
  ["__pycache__/a.trace", NO_CODE],
  ["links.pth", NO_CODE],
  ["links.zip", NO_CODE],
  ["links.whl", NO_CODE],
  ["_core.so", NO_CODE],
  ["../../lib/python3.14/site-packages/tomli_w.trace", OUTSIDE],
  ["a/../../b.trace", OUTSIDE],
  ["/lib/python3.14/site-packages/a.trace", OUTSIDE],
  ["..\\tomli_w.trace", OUTSIDE],
  ["C:\\a.trace", OUTSIDE],
  ["C:a.trace", OUTSIDE],
  ["a\u0000.trace", NO_NAME],
  ["a\u001b[2J.trace", NO_NAME],
  ["", NO_NAME],
  ["x".repeat(300), NO_NAME],
];

const OWN = "python:js:eval";

/** Places at which a scenario may name a class or a function of the user's own. */
export const CODE: readonly Scenario[] = [
  { flows: [{ cc: OWN }] },
  { flows: [{ cc: `hystart+${OWN}` }] },
  { flows: [{ cc: `cubic+${OWN}(x=1)` }] },
  { flows: [{ cc: "reno", app: { kind: OWN } }] },
  { compare: { cc: ["reno", OWN] } },
  { compare: { cc: ["reno"], metric: OWN } },
  { compare: { cc: ["reno"], along: { cc: [OWN] } } },
  { profile: OWN },
  { sweep: { axes: [{ key: "flows.cc", values: ["reno", OWN] }] } },
  { sweep: { axes: [{ key: OWN, values: [1] }] } },
  { sweep: { axes: [], responses: [OWN] } },
  { sweep: { axes: [], [OWN]: 1 } },
  { metrics: { [OWN]: { unit: "1" } } },
];

/** Texts of an address that are no scenario, and what the page says to each. */
export const GARBAGE: readonly (readonly [text: string | Uint8Array, sentence: string])[] = [
  // A few thousand bytes that unpack to 64 MiB.
  [Buffer.alloc(64 * 1024 * 1024, " "), "larger than 16 MiB"],
  [new Uint8Array([0x22, 0xff, 0xfe, 0x22]), "cannot be unpacked"],
  [`{"scenario":{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}}`, "nested too deeply"],
  ['{"scenario":{"__proto__":{"mark":1}}}', "no table has a key __proto__"],
  [
    '{"scenario":{"flows":[{"constructor":{"prototype":{"mark":1}}}]}}',
    "no table has a key constructor",
  ],
  ['{"scenario":{},"files":{"__proto__":{"mark":1}}}', "its files are not text"],
];
