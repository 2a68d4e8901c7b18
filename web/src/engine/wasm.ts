import type { Answer } from "../pcap/contract";
import type { Column, Table, TableName, Values } from "./contract";
import { EngineError } from "./contract";

interface Exports {
  readonly memory: WebAssembly.Memory;
  input(length: number): number;
  output(): number;
  ask(): number;
  start(): number;
  advance(events: number): number;
  finish(): number;
  table(): number;
  capture(connection: number, nameLength: number): number;
  capture_table(): number;
}

interface Place {
  readonly name: string;
  readonly kind: string;
  readonly unit: string;
  readonly names: readonly string[];
  readonly type: "uint8" | "uint16" | "uint32" | "uint64" | "float64";
  readonly at: number;
  readonly length: number;
}

/** One instance of the engine, for one run or for the questions of the resolver. */
export class Instance {
  readonly #exports: Exports;

  constructor(module: WebAssembly.Module) {
    this.#exports = new WebAssembly.Instance(module, {}).exports as unknown as Exports;
  }

  #put(text: string): void {
    const bytes = new TextEncoder().encode(text);
    const at = this.#exports.input(bytes.length);
    new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
  }

  #text(length: number): string {
    const bytes = new Uint8Array(this.#exports.memory.buffer, this.#exports.output(), length);
    return new TextDecoder().decode(bytes);
  }

  #answer<T>(length: number): T {
    const answer = JSON.parse(this.#text(length)) as { ok?: T; error?: string };
    if (answer.error !== undefined) throw new EngineError(answer.error);
    return answer.ok as T;
  }

  /** The engine's answer to the resolver, as text. */
  ask(question: string): string {
    this.#put(question);
    return this.#text(this.#exports.ask());
  }

  start(plan: string): void {
    this.#put(plan);
    this.#answer(this.#exports.start());
  }

  /** Simulated time after the events, s; below 0: the run is over. */
  advance(events: number): number {
    return this.#exports.advance(events);
  }

  finish(): Record<string, unknown> {
    return this.#answer(this.#exports.finish());
  }

  /** The answer of `finish` as text, whose numbers keep the form that Python reads. */
  finishedText(): string {
    return this.#text(this.#exports.finish());
  }

  table(name: TableName): Table {
    this.#put(name);
    const places = this.#answer<Place[]>(this.#exports.table());
    const columns: Record<string, Column> = {};
    for (const place of places) columns[place.name] = this.#column(place);
    return { rows: places[0]?.length ?? 0, columns };
  }

  /** Lays out a connection of a capture; below 0: the one with most payload. */
  capture(file: Uint8Array, name: string, connection: number): Answer {
    const title = new TextEncoder().encode(name);
    const at = this.#exports.input(title.length + file.length);
    const memory = new Uint8Array(this.#exports.memory.buffer, at, title.length + file.length);
    memory.set(title);
    memory.set(file, title.length);
    return this.#answer(this.#exports.capture(connection, title.length));
  }

  /** A table of the capture. */
  captureTable(name: "segments" | "sacks" | "rates"): Table {
    this.#put(name);
    const places = this.#answer<Place[]>(this.#exports.capture_table());
    const columns: Record<string, Column> = {};
    for (const place of places) columns[place.name] = this.#column(place);
    return { rows: places[0]?.length ?? 0, columns };
  }

  #column({ name, kind, unit, names, type, at, length }: Place): Column {
    const memory = this.#exports.memory.buffer;
    const copy = (): Values => {
      if (length === 0) return new Float64Array();
      switch (type) {
        case "uint8":
          return new Uint8Array(memory, at, length).slice();
        case "uint16":
          return new Uint16Array(memory, at, length).slice();
        case "uint32":
          return new Uint32Array(memory, at, length).slice();
        case "uint64":
          return Float64Array.from(new BigUint64Array(memory, at, length), Number);
        case "float64":
          return new Float64Array(memory, at, length).slice();
      }
    };
    return { name, kind, unit, names, values: copy() };
  }
}
