import { expect, test } from "vitest";
import { grid } from "../../src/charts/grid";
import { rounded } from "../../src/charts/readout";
import { shifted, zoomed } from "../../src/charts/zoom";
import type { Column, Table } from "../../src/engine/contract";
import { delayShiftSteps, limitSteps, rateSteps, readPlan, valueAt } from "../../src/plan";

function table(columns: Readonly<Record<string, readonly number[]>>): Table {
  const made: Record<string, Column> = {};
  for (const [name, values] of Object.entries(columns)) {
    made[name] = { name, kind: "real", unit: "", names: [], values: Float64Array.from(values) };
  }
  return { rows: columns.time?.length ?? 0, columns: made };
}

test("samples are laid out on the union of their times, and hold until the next", () => {
  const laid = grid(
    table({
      time: [0, 1, 1, 2, 3, 4],
      flow: [0, 0, 1, 1, 0, 1],
      cwnd: [10, 20, 5, Number.NaN, 30, 7],
    }),
    "flow",
  );
  expect(laid.times).toEqual([0, 1, 2, 3, 4]);
  expect(laid.points(0, "cwnd")).toEqual([10, 20, 20, 30, null]);
  expect(laid.points(1, "cwnd", 2)).toEqual([null, 10, null, null, 14]);
  expect(laid.rowsOf(7)).toEqual([]);
});

test("a zoom stays within the run", () => {
  expect(zoomed([0, 20], 0.5, 5, 20)).toEqual([2.5, 12.5]);
  expect(zoomed([2.5, 12.5], 2, 5, 20)).toEqual([0, 20]);
  expect(zoomed([10, 20], 2, 99, 20)).toEqual([0, 20]);
  expect(shifted([0, 10], 0.5, 12)).toEqual([2, 12]);
  expect(shifted([2, 12], -0.5, 12)).toEqual([0, 10]);
});

test("values are read with the digits that matter", () => {
  expect([0, 1234.5, 12.34, 1.234, 0.01234].map(rounded)).toEqual([
    "0",
    "1235",
    "12.3",
    "1.23",
    "0.012",
  ]);
});

test("a plan's short form is read in full", () => {
  const link = { delay_ps: 20e9, rate_bps: 1e6, qdisc: { kind: "fifo", limit_packets: 20 } };
  const plan = readPlan(
    JSON.stringify({
      duration_ps: 1e12,
      warmup_ps: 0,
      links: [{ name: "l", ...link }],
      alike_links: [{ model: 0, name: ["l.reverse", "m"], delay_ps: [1e9, 2e9] }],
      flows: [{ name: "a" }, { name: "z" }],
      alike_flows: [{ model: 0, name: ["b"], path: [[1]] }],
    }),
  );
  expect(plan.links.map(({ name, delay_ps: delay }) => [name, delay])).toEqual([
    ["l", 20e9],
    ["l.reverse", 1e9],
    ["m", 2e9],
  ]);
  expect(plan.flows.map(({ name }) => name)).toEqual(["a", "b", "z"]);
  expect(plan.flows[1]?.path).toEqual([1]);
});

test("steps of rates, limits and delays", () => {
  const qdisc = {
    kind: "fifo",
    limit_packets: 20,
    later: [{ from_ps: 2e12, limit_packets: null }],
  };
  const service = {
    kind: "schedule",
    rates: [
      [0, 1e6],
      [1e12, 2e6],
    ] as const,
    period_ps: 4e12,
  };
  const delays = [[3e12, 50e9]] as const;
  const impairments = [{ kind: "delay-schedule", delays }];
  const link = { name: "l", rate_bps: 1e6, delay_ps: 20e9, qdisc, service, impairments };
  const rates = rateSteps(link, 8);
  expect([0, 1.5, 4.5, 5.5].map((time) => valueAt(rates, time))).toEqual([1e6, 2e6, 1e6, 2e6]);
  const limits = limitSteps(link, "limit_packets") ?? [];
  expect([1, 3].map((time) => valueAt(limits, time))).toEqual([20, Number.POSITIVE_INFINITY]);
  expect(limitSteps(link, "limit_bytes")).toBeNull();
  const shifts = delayShiftSteps(link, 8);
  expect(valueAt(shifts, 2)).toBe(0);
  expect(valueAt(shifts, 3)).toBeCloseTo(0.03);
});
