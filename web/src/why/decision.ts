import type { Detail, Table } from "../engine/contract";
import { countUpTo } from "../pipe/search";

/** One row of the table of decisions, with the names of its codes. NaN: not known. */
export interface Decision {
  readonly row: number;
  readonly time: number;
  readonly cause: string;
  readonly acked: number;
  readonly sacked: number;
  readonly lost: number;
  readonly isDuplicate: boolean;
  readonly hasEce: boolean;
  readonly una: number;
  readonly episode: string;
  /** Episode after the decision before; null: that is not known. */
  readonly episodeBefore: string | null;
  readonly round: number;
  readonly isRoundStart: boolean;
  readonly deliveryRate: number;
  readonly sampleInterval: number;
  readonly isAppLimited: boolean;
  readonly rttSample: number;
  readonly srtt: number;
  readonly rttvar: number;
  readonly minRtt: number;
  readonly rto: number;
  /** The calls that told the algorithm of the event. */
  readonly told: readonly string[];
  readonly cwndBefore: number;
  readonly cwnd: number;
  readonly targetCwnd: number;
  readonly ssthreshBefore: number;
  readonly ssthresh: number;
  readonly pacingBefore: number;
  readonly pacing: number;
  readonly rule: string | null;
  readonly transportRule: string | null;
  readonly inflight: number;
  readonly room: number;
  readonly sent: number;
  readonly resent: number;
  readonly heldBy: string;
}

/** The decisions of one flow within a window, in the order of time. */
export interface Decisions {
  readonly detail: Detail;
  readonly rows: Int32Array;
  readonly times: Float64Array;
}

const known = new WeakMap<Detail, Map<number, Decisions>>();

/** The decisions of a route. */
export function decisionsOf(detail: Detail, route: number): Decisions {
  const byRoute = known.get(detail) ?? new Map<number, Decisions>();
  known.set(detail, byRoute);
  const made = byRoute.get(route) ?? rowsOf(detail, route);
  byRoute.set(route, made);
  return made;
}

function rowsOf(detail: Detail, route: number): Decisions {
  const { flow, time } = detail.decisions.columns;
  const rows: number[] = [];
  for (let row = 0; row < detail.decisions.rows; row++) {
    if (flow?.values[row] === route) rows.push(row);
  }
  return {
    detail,
    rows: Int32Array.from(rows),
    times: Float64Array.from(rows, (row) => time?.values[row] ?? Number.NaN),
  };
}

/** Number of the latest decision at or before a time, s; -1: there is none. */
export function latest({ times }: Decisions, now: number): number {
  return countUpTo(times, now) - 1;
}

function numberIn(table: Table, column: string, row: number): number {
  return table.columns[column]?.values[row] ?? Number.NaN;
}

function nameIn(table: Table, column: string, row: number): string {
  return table.columns[column]?.names[numberIn(table, column, row)] ?? "";
}

/** Calls from a set of bits; tables without it have the weightiest call alone. */
function calls(table: Table, row: number): string[] {
  const names = table.columns.told?.names ?? [];
  const bits = numberIn(table, "calls", row);
  if (Number.isNaN(bits))
    return [nameIn(table, "told", row)].filter((name) => name !== "nothing");
  return names.filter((name, code) => name !== "nothing" && ((bits >>> code) & 1) === 1);
}

/** Reads a decision by its number among those of its flow. */
export function decisionAt({ detail, rows }: Decisions, at: number): Decision | null {
  const row = rows[at];
  if (row === undefined) return null;
  const table = detail.decisions;
  const value = (column: string) => numberIn(table, column, row);
  const before = rows[at - 1];
  const rule = (column: string) => detail.rules[value(column)] ?? null;
  return {
    row,
    time: value("time"),
    cause: nameIn(table, "cause", row),
    acked: value("acked_bytes"),
    sacked: value("sacked_bytes"),
    lost: value("lost_bytes"),
    isDuplicate: value("is_duplicate") === 1,
    hasEce: value("has_ece") === 1,
    una: value("una"),
    episode: nameIn(table, "episode", row),
    episodeBefore: before === undefined ? null : nameIn(table, "episode", before),
    round: value("round"),
    isRoundStart: value("round_start") === 1,
    deliveryRate: value("delivery_rate"),
    sampleInterval: value("sample_interval"),
    isAppLimited: value("is_app_limited") === 1,
    rttSample: value("rtt_sample"),
    srtt: value("srtt"),
    rttvar: value("rttvar"),
    minRtt: value("min_rtt"),
    rto: value("rto"),
    told: calls(table, row),
    cwndBefore: value("cwnd_before"),
    cwnd: value("cwnd"),
    targetCwnd: value("target_cwnd"),
    ssthreshBefore: value("ssthresh_before"),
    ssthresh: value("ssthresh"),
    pacingBefore: value("pacing_before"),
    pacing: value("pacing_rate"),
    rule: rule("rule"),
    transportRule: rule("transport_rule"),
    inflight: value("inflight"),
    room: value("room"),
    sent: value("sent"),
    resent: value("retransmitted"),
    heldBy: nameIn(table, "held_by", row),
  };
}

/** Calls that every ACK brings. */
const ROUTINE = new Set(["ack", "interval"]);
/** Events that come all the time. */
const USUAL = new Set(["ack", "pacing_timer", "application"]);

/** Phase that a rule belongs to: the words before its colon. */
export function phase(rule: string): string {
  return rule.split(":")[0]?.trim() ?? rule;
}

/** Whether something other than a usual ACK happened: a loss, another phase, a timer. */
export function isNotable(decisions: Decisions, at: number): boolean {
  const table = decisions.detail.decisions;
  const row = decisions.rows[at];
  const before = decisions.rows[at - 1];
  if (row === undefined) return false;
  if (!USUAL.has(nameIn(table, "cause", row)) || numberIn(table, "lost_bytes", row) > 0)
    return true;
  if (calls(table, row).some((name) => !ROUTINE.has(name))) return true;
  if (before === undefined) return false;
  return numberIn(table, "episode", row) !== numberIn(table, "episode", before);
}
