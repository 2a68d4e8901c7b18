/**
 * Addresses of the page. The part after `#` is one of two:
 *
 * - `#preset=NAME`: the preset of that name, as `presets/NAME.json` has it;
 * - `#s=TEXT`: a scenario. TEXT is base64url, without padding, of raw DEFLATE (RFC 1951) of the
 *   UTF-8 JSON text `{"scenario": ..., "files": {...}, "now": 12.5}`. `scenario` is the scenario's
 *   tables as its TOML file has them, with integers above 2^53 as `{"$integer": "DIGITS"}`. `files`
 *   has the text of each file that the scenario names, by that name, and may be left out. `now` is
 *   the simulated time to show, s, and may be left out.
 *
 * Python writes the second form so:
 * `base64.urlsafe_b64encode(deflated).rstrip(b"=")`, `deflated` from `zlib.compressobj(9, wbits=-15)`.
 */

import { bytesOf } from "../base64";
import type { Files, Scenario } from "../resolver/contract";

/** The scenario of an address. */
export interface Shared {
  readonly scenario: Scenario;
  readonly files: Files;
  /** Simulated time to show, s. */
  readonly now?: number;
}

export type Address =
  | { readonly kind: "none" }
  | { readonly kind: "preset"; readonly name: string }
  | ({ readonly kind: "scenario" } & Shared);

/** An address that cannot be read: one sentence. */
export class AddressProblem extends Error {}

const WHY = "the address of this page is damaged";

/** A scenario of more bytes than this is no scenario: an address must not fill the memory. */
const MOST_BYTES = 16 * 1024 * 1024;
const TOO_LARGE = `${WHY}: its scenario is larger than 16 MiB`;

/** Longest text of an address: base64 of so many bytes that no packer has made smaller. */
const MOST_TEXT = Math.ceil((MOST_BYTES * 4) / 3) + 64 * 1024;

/** Tables and lists within each other: no scenario has a tenth of them. */
const MOST_NESTED = 100;

/** Keys that mean an object's own workings in JavaScript. No table of a scenario has them. */
const RESERVED: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

async function all(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new AddressProblem(TOO_LARGE);
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function through(bytes: BlobPart, transform: GenericTransformStream): Promise<Uint8Array> {
  return all(new Blob([bytes]).stream().pipeThrough(transform), MOST_BYTES);
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return bytesOf(text.replaceAll("-", "+").replaceAll("_", "/"));
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Everything within a value, itself first, without recursion: an address may nest without end. */
function* within(value: unknown): Generator<readonly [value: unknown, depth: number]> {
  const rest: (readonly [unknown, number])[] = [[value, 0]];
  for (let next = rest.pop(); next; next = rest.pop()) {
    yield next;
    const [tree, depth] = next;
    if (typeof tree !== "object" || tree === null) continue;
    for (const inner of Object.values(tree)) rest.push([inner, depth + 1]);
  }
}

/** Refuses a scenario that the page could not handle as data. */
function check(scenario: unknown): void {
  for (const [value, depth] of within(scenario)) {
    if (depth > MOST_NESTED) {
      throw new AddressProblem(`${WHY}: its tables are nested too deeply`);
    }
    const reserved = isTable(value) && Object.keys(value).find((key) => RESERVED.has(key));
    if (reserved) throw new AddressProblem(`${WHY}: no table has a key ${reserved}`);
  }
}

/** Those of the files that a scenario may name; what it does not name is no part of an address. */
function namedFiles(scenario: Scenario, files: Files): Files {
  const names = Object.keys(files);
  if (names.length === 0) return files;
  const texts = [...within(scenario)].flatMap(([value]) =>
    typeof value === "string" ? [value] : [],
  );
  const named = names.filter((name) => texts.some((text) => text.includes(name)));
  return Object.fromEntries(named.map((name) => [name, files[name] ?? ""]));
}

/** The part of an address that names a preset, `#` included. */
export function presetAddress(name: string): string {
  return `#preset=${encodeURIComponent(name)}`;
}

/** The part of an address that holds a scenario, `#` included. */
export async function scenarioAddress({ scenario, files, now }: Shared): Promise<string> {
  const named = namedFiles(scenario, files);
  const text = JSON.stringify({ scenario, files: named, ...(now === undefined ? {} : { now }) });
  return `#s=${toBase64Url(await through(text, new CompressionStream("deflate-raw")))}`;
}

/**
 * Reads the part of an address from its `#` on.
 *
 * @throws AddressProblem if it is neither a preset nor a scenario.
 */
export async function readAddress(hash: string): Promise<Address> {
  const text = hash.replace(/^#/, "");
  if (text === "") return { kind: "none" };
  const [, key, value = ""] = /^(preset|s)=(.*)$/s.exec(text) ?? [];
  if (key === "preset") {
    const name = decoded(value);
    if (!/^[\w.-]+$/.test(name)) throw new AddressProblem(`${WHY}: it names no preset`);
    return { kind: "preset", name };
  }
  if (key !== "s") {
    throw new AddressProblem(`${WHY}: after # it has neither preset=NAME nor s=SCENARIO`);
  }
  return { kind: "scenario", ...(await shared(value)) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AddressProblem(`${WHY}: it names no preset`);
  }
}

async function shared(text: string): Promise<Shared> {
  if (text.length > MOST_TEXT) throw new AddressProblem(TOO_LARGE);
  let data: unknown;
  try {
    const bytes = await through(fromBase64Url(text), new DecompressionStream("deflate-raw"));
    data = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof AddressProblem) throw error;
    throw new AddressProblem(`${WHY}: its scenario cannot be unpacked; copy it again, whole`);
  }
  if (!isTable(data) || !isTable(data.scenario)) {
    throw new AddressProblem(`${WHY}: it has no scenario`);
  }
  check(data.scenario);
  const files = data.files ?? {};
  if (!isTable(files) || Object.values(files).some((content) => typeof content !== "string")) {
    throw new AddressProblem(`${WHY}: its files are not text`);
  }
  const { now } = data;
  if (now !== undefined && !(typeof now === "number" && now >= 0)) {
    throw new AddressProblem(`${WHY}: its time is not a number of seconds`);
  }
  const scenario = data.scenario as Scenario;
  return {
    scenario,
    files: namedFiles(scenario, files as Files),
    ...(now === undefined ? {} : { now }),
  };
}
