import type { Answer } from "../pcap/contract";
import type { Column, Counters, Detail, Table, TableName } from "./contract";
import { EngineError } from "./contract";
import { copy, type NumberType } from "./numbers";

interface Exports {
  readonly memory: WebAssembly.Memory;
  input(length: number): number;
  output(): number;
  ask(): number;
  start(): number;
  start_in_detail(): number;
  advance(events: number): number;
  forget_before(time: number): void;
  window(from: number, to: number): number;
  finish(): number;
  table(): number;
  failure(): number;
  failure_length(): number;
  capture(connection: number, nameLength: number): number;
  capture_table(): number;
}

/** A column in the memory of the instance. */
interface Place {
  readonly name: string;
  readonly kind: string;
  readonly unit: string;
  readonly names: readonly string[];
  readonly type: NumberType;
  readonly at: number;
  readonly length: number;
}

/** What the engine says of a run that is over. */
export interface Finished {
  readonly digest: string;
  readonly end_time: number;
  readonly events: number;
  readonly flows: readonly Counters[];
  readonly links: readonly Counters[];
  readonly streams: readonly Counters[];
  readonly sessions: readonly Counters[];
  readonly internal_names: readonly string[];
  readonly recorded_until: Readonly<Record<string, number>>;
}

interface Window {
  readonly to: number;
  readonly packets: readonly Place[];
  readonly decisions: readonly Place[];
  readonly rules: readonly string[];
}

/** A memory of WebAssembly has 4 GB at most; a run that fails near it had too little. */
const NEARLY_ALL = 3.5e9;

/** One instance of the engine, for one run or for the questions of the resolver. */
export class Instance {
  readonly #exports: Exports;

  constructor(module: WebAssembly.Module) {
    this.#exports = new WebAssembly.Instance(module, {}).exports as unknown as Exports;
  }

  /** The engine's answer to the resolver, as text. */
  ask(question: string): string {
    this.#put(question);
    return this.#text(this.#call((it) => it.ask()));
  }

  /** Begins the run of a plan. */
  start(plan: string): void {
    this.#put(plan);
    this.#answer((it) => it.start());
  }

  /** Begins the run of a plan with a record of each packet, of which `window` gives a part. */
  startInDetail(plan: string): void {
    this.#put(plan);
    this.#answer((it) => it.start_in_detail());
  }

  /** Simulated time after so many events, s; below 0: the run is over. */
  advance(events: number): number {
    return this.#call((it) => it.advance(events));
  }

  /** Frees the rows of a run in detail before a time, s. */
  forgetBefore(time: number): void {
    this.#call((it) => it.forget_before(time));
  }

  /** The part of a run in detail from a time up to another, s. */
  window(from: number, to: number): Detail {
    const window = this.#answer<Window>((it) => it.window(from, to));
    return {
      from,
      to: window.to,
      packets: this.#table(window.packets),
      decisions: this.#table(window.decisions),
      rules: window.rules,
    };
  }

  /** Ends the run. */
  finish(): Finished {
    return this.#read<Finished>(this.finishedText());
  }

  /** The answer of `finish` as text, whose numbers keep the form that Python reads. */
  finishedText(): string {
    return this.#text(this.#call((it) => it.finish()));
  }

  /** A recorded table of a run that is over. */
  table(name: TableName): Table {
    this.#put(name);
    return this.#table(this.#answer<Place[]>((it) => it.table()));
  }

  #put(text: string): void {
    const bytes = new TextEncoder().encode(text);
    const at = this.#call((it) => it.input(bytes.length));
    new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
  }

  #text(length: number): string {
    const bytes = new Uint8Array(this.#exports.memory.buffer, this.#exports.output(), length);
    return new TextDecoder().decode(bytes);
  }

  #answer<T>(call: (exports: Exports) => number): T {
    return this.#read<T>(this.#text(this.#call(call)));
  }

  #read<T>(text: string): T {
    const answer = JSON.parse(text) as { readonly ok?: T; readonly error?: string };
    if (answer.error !== undefined) throw new EngineError(answer.error);
    return answer.ok as T;
  }

  /** Calls the engine. After a trap the instance is of no use any more. */
  #call<T>(call: (exports: Exports) => T): T {
    try {
      return call(this.#exports);
    } catch (trap) {
      throw new EngineError(this.#sentence(trap));
    }
  }

  #sentence(trap: unknown): string {
    const { memory, failure, failure_length } = this.#exports;
    const bytes = new Uint8Array(memory.buffer, failure(), failure_length());
    if (bytes.length > 0) {
      return `the engine failed, which is a fault of ackclock: ${new TextDecoder().decode(bytes)}`;
    }
    if (memory.buffer.byteLength > NEARLY_ALL) {
      return "the run needs more memory than the 4 GB of a page: shorten it, or record less";
    }
    return `the engine failed, which is a fault of ackclock: ${trap}`;
  }

  #table(places: readonly Place[]): Table {
    const columns: Record<string, Column> = {};
    for (const { name, kind, unit, names, type, at, length } of places) {
      const values = copy(this.#exports.memory.buffer, type, at, length);
      columns[name] = { name, kind, unit, names, values };
    }
    return { rows: places[0]?.length ?? 0, columns };
  }

  /** Lays out a connection of a capture; below 0: the one with most payload. */
  capture(file: Uint8Array, name: string, connection: number): Answer {
    const title = new TextEncoder().encode(name);
    const at = this.#call((it) => it.input(title.length + file.length));
    const memory = new Uint8Array(this.#exports.memory.buffer, at, title.length + file.length);
    memory.set(title);
    memory.set(file, title.length);
    return this.#answer((it) => it.capture(connection, title.length));
  }

  /** A table of the capture. */
  captureTable(name: "segments" | "sacks" | "rates"): Table {
    this.#put(name);
    return this.#table(this.#answer<Place[]>((it) => it.capture_table()));
  }
}
