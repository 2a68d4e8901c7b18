import { expect, test } from "vitest";
import {
  addFlowAt,
  changeCcAt,
  changesOf,
  KnobProblem,
  setAt,
  valueAt,
} from "../../src/knobs/edits";
import { readRate, readShare, readTime, writeDelay, writeRate } from "../../src/knobs/quantity";
import { limitScale, lossScale, rateScale } from "../../src/knobs/scales";
import type { Scenario } from "../../src/resolver/contract";
import { linkPaths } from "../../src/scenario/link";

const LINK = ["network", "bottleneck"];
const BASE: Scenario = {
  duration: "20s",
  network: { kind: "dumbbell", bottleneck: { rate: "10Mbit/s", delay: "30ms" } },
  flows: [
    { name: "a", cc: "reno" },
    { cc: "cubic", start: "5s", stop: "15s" },
  ],
};

function bottleneck(scenario: Scenario): unknown {
  return (scenario.network as { bottleneck: unknown }).bottleneck;
}

test("a rate becomes a schedule, with later changes in order", () => {
  const late = setAt(BASE, LINK, "rate", 12.3456, "2Mbit/s");
  const both = setAt(late, LINK, "rate", 8, "5Mbit/s");
  expect(bottleneck(both)).toMatchObject({
    rate: {
      schedule: [
        ["0s", "10Mbit/s"],
        ["8s", "5Mbit/s"],
        ["12.346s", "2Mbit/s"],
      ],
    },
  });
  expect(valueAt(both, LINK, "rate", 7.999)).toBe("10Mbit/s");
  expect(valueAt(both, LINK, "rate", 8)).toBe("5Mbit/s");
  const again = setAt(both, LINK, "rate", 8, "6Mbit/s");
  expect(valueAt(again, LINK, "rate", 9)).toBe("6Mbit/s");
  expect(
    changesOf(again, [LINK]).filter(({ sentence }) => sentence.includes("rate")),
  ).toHaveLength(2);
});

test("at the start a value is changed itself", () => {
  expect(bottleneck(setAt(BASE, LINK, "rate", 0, "1Mbit/s"))).toMatchObject({ rate: "1Mbit/s" });
  expect(bottleneck(setAt(BASE, LINK, "limit", 0, "2bdp"))).toMatchObject({ limit: "2bdp" });
});

test("delay, buffer and loss become steps of their own", () => {
  const delay = setAt(BASE, LINK, "delay", 4, "50ms");
  expect(bottleneck(delay)).toMatchObject({ delay: "30ms", delay_schedule: [["4s", "50ms"]] });
  expect(valueAt(delay, LINK, "delay", 3)).toBe("30ms");
  const limit = setAt(BASE, LINK, "limit", 4, "8bdp");
  expect(bottleneck(limit)).toMatchObject({
    limit: {
      schedule: [
        ["0s", "1bdp"],
        ["4s", "8bdp"],
      ],
    },
  });
  const loss = setAt(BASE, LINK, "loss", 4, "1%");
  expect(bottleneck(loss)).toMatchObject({
    loss: {
      schedule: [
        ["0s", "0%"],
        ["4s", "1%"],
      ],
    },
  });
});

test("a loss at random goes on as a schedule; one in bursts is refused", () => {
  const random = setAt(BASE, LINK, "loss", 0, "2%");
  expect(valueAt(setAt(random, LINK, "loss", 3, "0%"), LINK, "loss", 1)).toBe("2%");
  const table = { rate: "10Mbit/s", delay: "1ms", loss: { kind: "bernoulli", p: 0.01 } };
  const named: Scenario = { ...BASE, network: { kind: "dumbbell", bottleneck: table } };
  expect(valueAt(named, LINK, "loss", 0)).toBe("0.01");
  const bursts = { ...table, loss: { kind: "bursts", length: "1ms", gap: "1s" } };
  const other: Scenario = { ...BASE, network: { kind: "dumbbell", bottleneck: bursts } };
  expect(valueAt(other, LINK, "loss", 0)).toBeNull();
  expect(() => setAt(other, LINK, "loss", 3, "1%")).toThrow(KnobProblem);
});

test("short keys of a dumbbell stay short", () => {
  const short: Scenario = {
    ...BASE,
    network: { kind: "dumbbell", rate: "10Mbit/s", rtt: "61ms" },
  };
  expect(valueAt(short, LINK, "delay", 1)).toBe("30.5ms");
  const next = setAt(setAt(short, LINK, "rate", 1, "1Mbit/s"), LINK, "delay", 1, "40ms");
  expect(next.network).toEqual({
    kind: "dumbbell",
    rate: {
      schedule: [
        ["0s", "10Mbit/s"],
        ["1s", "1Mbit/s"],
      ],
    },
    rtt: "61ms",
    bottleneck: { delay_schedule: [["1s", "40ms"]] },
  });
});

test("a new flow begins at the time, with a name of its own", () => {
  const next = addFlowAt(addFlowAt(BASE, "bbr", 7), "bbr", 9);
  expect(next.flows).toEqual([
    ...(BASE.flows as []),
    { name: "bbr", cc: "bbr", start: "7s" },
    { name: "bbr-2", cc: "bbr", start: "9s" },
  ]);
});

test("another algorithm stops the flow and starts another with all else alike", () => {
  const flow = { name: "a", cc: "reno", count: 2, access: { delay: "5ms" }, stop: "18s" };
  const next = changeCcAt({ ...BASE, flows: [flow] }, 0, "cubic", 6);
  expect(next.flows).toEqual([
    { ...flow, stop: "6s" },
    { ...flow, name: "a-cubic", cc: "cubic", start: "6s", stop: "18s" },
  ]);
  expect(changeCcAt(BASE, 1, "bbr", 3).flows).toEqual([
    (BASE.flows as unknown[])[0],
    { cc: "bbr", start: "5s", stop: "15s" },
  ]);
  expect(() => changeCcAt(BASE, 1, "bbr", 16)).toThrow("has stopped by then");
});

test("changes are listed in order of time, and each can be taken back", () => {
  let scenario = setAt(BASE, LINK, "rate", 8, "5Mbit/s");
  scenario = setAt(scenario, LINK, "delay", 3, "60ms");
  const changes = changesOf(scenario, linkPaths(scenario));
  expect(changes.map(({ time, sentence }) => [time, sentence])).toEqual([
    [3, "delay 60ms"],
    [5, "flow flow2 starts (cubic)"],
    [8, "rate 5Mbit/s"],
    [15, "flow flow2 stops"],
  ]);
  const left = changes.find(({ time }) => time === 8)?.without();
  expect(left && bottleneck(left)).toMatchObject({ rate: "10Mbit/s" });
  const noDelay = changes.find(({ time }) => time === 3)?.without();
  expect(noDelay && bottleneck(noDelay)).not.toHaveProperty("delay_schedule");
});

test("quantities are read and written as scenarios have them", () => {
  expect([readRate("1.5 Gbit/s"), readRate("3"), readTime("250us"), readTime("1min")]).toEqual([
    1.5e9,
    null,
    0.00025,
    60,
  ]);
  expect([readShare("2%"), readShare(0.02), readShare("0.5")]).toEqual([0.02, 0.02, 0.5]);
  expect([writeRate(12_345_678), writeDelay(0.0305)]).toEqual(["12.3Mbit/s", "30.5ms"]);
});

test("sliders show a value where they set it", () => {
  const scale = rateScale("10Mbit/s");
  expect(scale.text(0.5)).toBe("10Mbit/s");
  expect(scale.position("100Mbit/s")).toBeCloseTo(1);
  expect(limitScale("50 packets").text(0.5)).toBe("50 packets");
  expect(limitScale("1bdp").text(1)).toBe("16bdp");
  expect([lossScale().text(0), lossScale().text(1)]).toEqual(["0%", "20%"]);
});
