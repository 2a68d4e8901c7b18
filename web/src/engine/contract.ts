/** What the engine, which runs in a worker, gives to the page. */

/** Values of a column. 64-bit integers become doubles: all are far below 2^53. */
export type Values = Float64Array | Uint32Array | Uint16Array | Uint8Array;

export interface Column {
  readonly name: string;
  /** The word of `columns::Kind`: integer, real, flow, link, code, ... */
  readonly kind: string;
  readonly unit: string;
  /** Names of codes, if the column holds codes. */
  readonly names: readonly string[];
  readonly values: Values;
}

/** A recorded table, column by column; each column has `rows` values. */
export interface Table {
  readonly rows: number;
  readonly columns: Readonly<Record<string, Column>>;
}

export type TableName =
  | "flow_samples"
  | "link_samples"
  | "internals"
  | "packets"
  | "decisions"
  | "transfers"
  | "datagrams"
  | "frames";

/** A row of counters: of a flow, link, stream or session, as in `flows.json` of a run's folder. */
export type Counters = Readonly<Record<string, number | string | null>>;

export interface RunResult {
  /** Hash of all counters and tables: the same as `ackclock run --digest` prints. */
  readonly digest: string;
  /** Time of the end of the run, s. */
  readonly endTime: number;
  readonly events: number;
  readonly flows: readonly Counters[];
  readonly links: readonly Counters[];
  readonly streams: readonly Counters[];
  readonly sessions: readonly Counters[];
  readonly internalNames: readonly string[];
  /** Tables that were full before the end, and the time of the first missing row, s. */
  readonly recordedUntil: Readonly<Record<string, number>>;
  readonly tables: Readonly<Record<TableName, Table>>;
  /** Time that the worker took, s. It is shown, and enters no result. */
  readonly wallTime: number;
}

/** Each packet on each link, and each decision of the senders, within a part of a run. */
export interface Detail {
  /** The part that is covered, s: rows at `from` belong to it, and rows at `to` do not. */
  readonly from: number;
  readonly to: number;
  readonly packets: Table;
  readonly decisions: Table;
  /** The rules that the column `rule` of the decisions names. */
  readonly rules: readonly string[];
}

export interface Engine {
  /** The compiled engine, for workers of other parts. */
  readonly module: Promise<WebAssembly.Module>;
  /** Runs a plan, which is JSON text, from its start to its end. A new run ends the one before. */
  run(plan: string, progress?: (share: number) => void): Promise<RunResult>;
  /**
   * Runs a plan again for the packets and decisions of `from` to `to`, s. A new request ends the
   * one before. Windows that follow each other are cheap: the run goes on where the last one ended.
   */
  detail(plan: string, from: number, to: number): Promise<Detail>;
}

/** The engine refused a plan, or the run was ended. */
export class EngineError extends Error {}
/** The run was replaced by a newer one; nobody has to be told. */
export class Superseded extends Error {}
