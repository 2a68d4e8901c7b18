import { describe, expect, test } from "vitest";
import { decisionAt, decisionsOf, isNotable, latest } from "../../../src/why/decision";
import { numbers } from "../../../src/why/numbers";
import { explain } from "../../../src/why/sentences";
import { detailOf, MSS, type Row } from "./fixture";

/** The sentences about the last of these decisions. */
function said(...rows: Row[]): string[] {
  const decision = decisionAt(decisionsOf(detailOf(rows), 0), rows.length - 1);
  if (!decision) throw new Error("there is no decision");
  return explain(decision, MSS, "cubic").map(({ text }) => text);
}

describe("the sender's decision in words", () => {
  test("an ACK in slow start", () => {
    expect(said({ round_start: 1, delivery_rate: 9.8e6, sample_interval: 0.06 })).toEqual([
      "An ACK arrived: it acknowledged 2 packets (2,896 bytes).",
      "Round trip 7 begins.",
      "It measured an RTT of 63.1 ms (smoothed 61 ms, least 60.1 ms).",
      "The delivery rate was 9.8 Mbit/s over 60 ms.",
      "cubic was told of the ACK.",
      "cwnd grew from 41 to 42 packets.",
      "slow start: cwnd grows by the bytes acknowledged (RFC 5681 section 3.1)",
      "cwnd had room for 2 packets; 2 packets were sent. cwnd holds the rest back.",
    ]);
  });

  test("a loss that begins a recovery", () => {
    const loss: Row = {
      is_duplicate: 1,
      acked_bytes: 0,
      sacked_bytes: MSS,
      lost_bytes: MSS,
      episode: "recovery",
      told: "loss",
      calls: (1 << 15) | (1 << 3),
      rtt_sample: Number.NaN,
      cwnd: 41 * MSS,
      ssthresh: 28.7 * MSS,
      rule: 1,
      transport_rule: 2,
      room: 1,
      sent: 1,
      retransmitted: 1,
    };
    expect(said({}, loss)).toEqual([
      "A duplicate ACK arrived: it acknowledged nothing in order, but 1 packet more by SACK.",
      "The sender now holds 1 packet for lost.",
      "Fast recovery begins.",
      "cubic was told of the ACK and the losses.",
      "ssthresh was set to 28.7 packets.",
      "CUBIC: ssthresh is 0.7 of cwnd (RFC 9438, section 4.6)",
      "RACK: a segment sent well after the lost one was delivered (RFC 8985 section 6.2)",
      "cwnd had room for 1 packet; 1 packet (1 of them again) was sent. cwnd holds the rest back.",
    ]);
  });

  test("a timeout", () => {
    const timeout: Row = {
      cause: "timeout",
      episode: "loss",
      acked_bytes: 0,
      rtt_sample: Number.NaN,
      calls: 1 << 16,
      cwnd: MSS,
      held_by: "cwnd",
      sent: 0,
    };
    const words = said({}, timeout);
    expect(words[0]).toBe("The retransmission timer ran out.");
    expect(words).toContain("Recovery from a timeout begins.");
    expect(words).toContain("cubic was told of the timeout.");
    expect(words).toContain("cwnd fell from 41 to 1 packets.");
    expect(words.at(-1)).toContain("none was sent");
  });

  test("a window that stays, and one that grows by less than a tenth of a packet", () => {
    expect(said({ cwnd: 41 * MSS })).toContain("cwnd stays at 41 packets.");
    expect(said({ cwnd: 41 * MSS + 35 })).toContain("cwnd grew from 59,368 to 59,403 bytes.");
  });

  test("marks, an application without data, a pacing rate", () => {
    const words = said({
      has_ece: 1,
      held_by: "application",
      pacing_before: 9e6,
      pacing_rate: 12e6,
      is_app_limited: 1,
      delivery_rate: 4e6,
    });
    expect(words).toContain("It says that packets arrived with a CE mark.");
    expect(words).toContain("The delivery rate was 4 Mbit/s, held down by the application.");
    expect(words).toContain(
      "cwnd grew from 41 to 42 packets and the pacing rate grew from 9 Mbit/s to 12 Mbit/s.",
    );
    expect(words.at(-1)).toContain("The application has no more to send.");
  });
});

test("the decision shown is the latest at or before the time, of this flow", () => {
  const rows: Row[] = [{ time: 1 }, { time: 2, flow: 1 }, { time: 3 }, { time: 3 }];
  const ofFirst = decisionsOf(detailOf(rows), 0);
  expect(ofFirst.times).toEqual(Float64Array.of(1, 3, 3));
  expect([0.5, 1, 2.9, 3, 9].map((now) => latest(ofFirst, now))).toEqual([-1, 0, 0, 2, 2]);
  expect(decisionAt(ofFirst, -1)).toBe(null);
});

test("losses, timers, news to the algorithm and changes of episode are not routine", () => {
  const rows: Row[] = [
    {},
    { lost_bytes: MSS },
    { episode: "recovery" },
    { episode: "recovery" },
    { cause: "tail_probe", episode: "recovery" },
    { calls: (1 << 3) | (1 << 6), episode: "recovery" },
    { cause: "pacing_timer", episode: "recovery", calls: 0 },
  ];
  const all = decisionsOf(detailOf(rows), 0);
  const notable = rows.map((_, at) => isNotable(all, at));
  expect(notable).toEqual([false, true, true, false, true, true, false]);
});

test("numbers have units, and a dash where nothing is known", () => {
  const decision = decisionAt(decisionsOf(detailOf([{}]), 0), 0);
  const rows = decision ? numbers(decision, MSS) : [];
  expect(rows.find(({ name }) => name === "cwnd")).toEqual({
    name: "cwnd",
    before: "41 pkt",
    after: "42 pkt",
  });
  expect(rows.find(({ name }) => name === "ssthresh")?.after).toBe("–");
  expect(rows.find(({ name }) => name === "RTO")?.after).toBe("263 ms");
});
