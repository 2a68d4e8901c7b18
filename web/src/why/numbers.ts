import { rateText, timeText } from "../pipe/figures";
import type { Decision } from "./decision";
import { packets } from "./sentences";

/** A row of the table: a quantity, before and after the event; null: there is no value. */
export interface Row {
  readonly name: string;
  readonly before: string | null;
  readonly after: string;
}

function known(value: number, write: (value: number) => string): string {
  return Number.isNaN(value) ? "–" : write(value);
}

/** The numbers of a decision. */
export function numbers(decision: Decision, mss: number): Row[] {
  const window = (bytes: number) => `${packets(bytes, mss)} pkt`;
  const bytes = (value: number) => `${value.toLocaleString("en")} B`;
  const row = (name: string, after: string, before: string | null = null): Row => ({
    name,
    before,
    after,
  });
  const d = decision;
  return [
    row("cwnd", known(d.cwnd, window), known(d.cwndBefore, window)),
    row("algorithm's window", known(d.targetCwnd, window)),
    row("ssthresh", known(d.ssthresh, window), known(d.ssthreshBefore, window)),
    row("pacing rate", known(d.pacing, rateText), known(d.pacingBefore, rateText)),
    row("inflight", known(d.inflight, window)),
    row("acknowledged", known(d.acked, bytes)),
    row("by SACK", known(d.sacked, bytes)),
    row("held for lost", known(d.lost, bytes)),
    row("acknowledged in all", known(d.una, bytes)),
    row("RTT sample", known(d.rttSample, timeText)),
    row("smoothed RTT", known(d.srtt, timeText)),
    row("RTT variation", known(d.rttvar, timeText)),
    row("least RTT", known(d.minRtt, timeText)),
    row("RTO", known(d.rto, timeText)),
    row("delivery rate", known(d.deliveryRate, rateText)),
    row("rate sample over", known(d.sampleInterval, timeText)),
    row("round trip", known(d.round, String)),
    row("state", d.episode),
    row(
      "room in cwnd",
      known(d.room, (count) => `${count} pkt`),
    ),
    row(
      "sent",
      known(d.sent, (count) => `${count} pkt`),
    ),
    row("held back by", d.heldBy.replaceAll("_", " ") || "–"),
  ];
}
