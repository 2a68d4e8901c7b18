import { describe, expect, test } from "vitest";
import { dumbbell, run } from "../runs";
import { compareQueues } from "./comparing";

const limit = { limit_packets: 60 };
const control = { target_ps: 5e9, interval_ps: 1e11, ecn: false, ce_threshold_ps: null };
const three = [{}, { cc: "reno" }, { cc: "bbr" }];
const fq = {
  kind: "fq_codel",
  limit,
  control,
  flows: 1024,
  quantum_bytes: 1514,
  memory_limit_bytes: 33554432,
  drop_batch: 64,
};
const jitter = {
  kind: "jitter",
  delay: { kind: "normal", mean: 0.005, sd: 0.002 },
  correlation: 0.25,
  reorder: false,
};
const schedule = {
  kind: "schedule",
  rates: [
    [0, 10_000_000],
    [2_000_000_000_000, 3_000_000],
    [4_000_000_000_000, 10_000_000],
  ],
  period_ps: null,
};

describe("the queue that is drawn is the queue that was", () => {
  test.each([
    ["fifo", {}],
    ["codel", { qdisc: { kind: "codel", limit, control } }],
    ["fq_codel", { qdisc: fq }],
    ["loss", { loss: { kind: "bernoulli", p: 0.01 } }],
    ["loss with fq_codel", { qdisc: fq, loss: { kind: "bernoulli", p: 0.01 } }],
    ["a rate that changes", { service: schedule }],
    ["jitter", { impairments: [jitter] }],
    ["jitter with reordering", { impairments: [{ ...jitter, reorder: true }] }],
    ["jitter and a rate that changes", { impairments: [jitter], service: schedule }],
  ])("with %s", async (_, bottleneck) => {
    const plan = dumbbell({ bottleneck, flows: three });
    const compared = compareQueues(plan, await run(plan), 0);
    expect(compared.compared).toBeGreaterThan(3000);
    expect(compared.longest).toBeGreaterThan(20);
    expect(compared.different).toBe(0);
  });
});
