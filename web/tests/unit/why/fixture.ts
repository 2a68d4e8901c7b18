import type { Column, Detail } from "../../../src/engine/contract";

/** Rows of the table of decisions; a column that a row leaves out has the value of `USUAL`. */
export type Row = Readonly<Record<string, number | string>>;

const NAMES: Readonly<Record<string, readonly string[]>> = {
  cause: [
    "start",
    "ack",
    "timeout",
    "tail_probe",
    "reordering_timer",
    "pacing_timer",
    "window_probe",
    "application",
  ],
  episode: ["open", "disorder", "cwr", "recovery", "loss"],
  told: [
    "nothing",
    "handshake",
    "transmit_start",
    "ack",
    "interval",
    "loss_window",
    "recovery_exit",
    "recovery_in_reduced_window",
    "rtt",
    "idle_restart",
    "window_kept",
    "lost_syn",
    "undo",
    "repeated_timeout",
    "ecn",
    "loss",
    "timeout",
  ],
  held_by: ["cwnd", "receive_window", "application", "pacing", "clamp", "closed"],
};

export const MSS = 1448;

const USUAL: Row = {
  time: 1,
  flow: 0,
  cause: "ack",
  acked_bytes: 2 * MSS,
  sacked_bytes: 0,
  lost_bytes: 0,
  is_duplicate: 0,
  has_ece: 0,
  una: 100 * MSS,
  episode: "open",
  round: 7,
  round_start: 0,
  delivery_rate: Number.NaN,
  sample_interval: Number.NaN,
  is_app_limited: 0,
  rtt_sample: 0.0631,
  srtt: 0.061,
  rttvar: 0.002,
  min_rtt: 0.0601,
  rto: 0.263,
  told: "ack",
  calls: 1 << 3,
  cwnd_before: 41 * MSS,
  cwnd: 42 * MSS,
  target_cwnd: 42 * MSS,
  ssthresh_before: Number.NaN,
  ssthresh: Number.NaN,
  pacing_before: Number.NaN,
  pacing_rate: Number.NaN,
  rule: 0,
  transport_rule: 0xffff,
  inflight: 42 * MSS,
  room: 2,
  sent: 2,
  retransmitted: 0,
  held_by: "cwnd",
};

export const RULES = [
  "slow start: cwnd grows by the bytes acknowledged (RFC 5681 section 3.1)",
  "CUBIC: ssthresh is 0.7 of cwnd (RFC 9438, section 4.6)",
  "RACK: a segment sent well after the lost one was delivered (RFC 8985 section 6.2)",
];

/** A detail with these decisions. */
export function detailOf(rows: readonly Row[]): Detail {
  const columns: Record<string, Column> = {};
  for (const name of Object.keys(USUAL)) {
    const names = NAMES[name] ?? [];
    const values = Float64Array.from(rows, (row) => {
      const value = row[name] ?? USUAL[name] ?? Number.NaN;
      return typeof value === "string" ? names.indexOf(value) : value;
    });
    columns[name] = { name, kind: "", unit: "", names, values };
  }
  const decisions = { rows: rows.length, columns };
  return { from: 0, to: 10, packets: { rows: 0, columns: {} }, decisions, rules: RULES };
}
