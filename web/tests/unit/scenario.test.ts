import { expect, test } from "vitest";
import { readCc, withParameter, writeCc } from "../../src/scenario/cc";
import { keyPath, linkPaths, scaledTime, withNetwork } from "../../src/scenario/link";
import { withTrace } from "../../src/scenario/trace";
import { getIn, setIn } from "../../src/scenario/tree";

const LONG = {
  duration: "20s",
  mystery: { kept: true },
  network: { kind: "dumbbell", bottleneck: { rate: "10Mbit/s", delay: "30ms", limit: "1bdp" } },
  flows: [{ name: "reno", cc: "reno" }],
};
const SHORT = {
  duration: "20s",
  network: { kind: "dumbbell", rate: "10Mbit/s", rtt: "60ms", bottleneck: { jitter: "1ms" } },
  flows: [{ cc: "reno", from: "r1", to: "r2" }, { cc: "cubic" }],
};

test("a value is set, and all else stays the very same", () => {
  const next = setIn(LONG, ["network", "bottleneck", "loss"], "1%");
  expect(getIn(next, ["network", "bottleneck"])).toEqual({
    ...LONG.network.bottleneck,
    loss: "1%",
  });
  expect(next.flows).toBe(LONG.flows);
  expect(next.mystery).toBe(LONG.mystery);
  expect(LONG.network.bottleneck).not.toHaveProperty("loss");
});

test("a word becomes the kind of a table when one of its parameters is set", () => {
  const short = setIn(LONG, ["network", "bottleneck", "qdisc"], "codel");
  const long = setIn(short, ["network", "bottleneck", "qdisc", "target"], "20ms");
  expect(getIn(long, ["network", "bottleneck", "qdisc"])).toEqual({
    kind: "codel",
    target: "20ms",
  });
});

test("a value that is taken out takes empty tables with it", () => {
  const deep = setIn(LONG, ["flows", 0, "access", "delay"], "5ms");
  expect(getIn(deep, ["flows", 0, "access"])).toEqual({ delay: "5ms" });
  expect(setIn(deep, ["flows", 0, "access", "delay"], undefined)).toEqual(LONG);
  expect(setIn(LONG, ["flows", 0], undefined).flows).toEqual([]);
  expect(setIn(LONG, ["nothing", "here"], undefined)).toEqual(LONG);
});

test("a link's keys are found where the scenario has them", () => {
  const [link] = linkPaths(LONG);
  expect(link).toEqual(["network", "bottleneck"]);
  expect(keyPath(LONG, ["network", "bottleneck"], "limit")).toEqual([
    "network",
    "bottleneck",
    "limit",
  ]);
  expect(keyPath(SHORT, ["network", "bottleneck"], "delay")).toEqual(["network", "rtt"]);
  expect(keyPath(SHORT, ["network", "bottleneck"], "jitter")).toEqual([
    "network",
    "bottleneck",
    "jitter",
  ]);
});

test("a dumbbell becomes a parking lot and back", () => {
  const lot = withNetwork(SHORT, "parking-lot");
  const hop = { rate: "10Mbit/s", delay: "30ms", jitter: "1ms" };
  expect(lot.network).toEqual({ kind: "parking-lot", bottlenecks: [hop, hop] });
  expect(lot.flows).toEqual([{ cc: "reno" }, { cc: "cubic" }]);
  expect(linkPaths(lot)).toHaveLength(2);
  const again = withNetwork(lot, "dumbbell");
  expect(again.network).toEqual({ kind: "dumbbell", bottleneck: hop });
});

test("times are halved in their own unit", () => {
  expect(scaledTime("60ms", 0.5)).toBe("30ms");
  expect(scaledTime("0.1 s", 0.5)).toBe("0.05s");
  expect(scaledTime("uniform(1ms, 2ms)", 0.5)).toBe("uniform(1ms, 2ms)");
});

test("a trace is the rate of the first link", () => {
  expect(withTrace(SHORT, "lte.up").network).toMatchObject({ rate: { trace: "lte.up" } });
  expect(getIn(withTrace(LONG, "lte.up"), ["network", "bottleneck", "rate"])).toEqual({
    trace: "lte.up",
  });
});

test.each(["cubic", "cos+cubic(beta=0.8, c=0.5)", "hystart(low_window=8)+reno"])(
  "%s is taken apart and put together",
  (text) => {
    const cc = readCc(text);
    expect(cc && writeCc(cc)).toBe(text);
  },
);

test.each(["python:mine:Mine(cut=0.1)", "a+b+c", "cubic(beta)", ""])("%s stays text", (text) => {
  expect(readCc(text)).toBeNull();
});

test("a parameter is set, and empty text takes it out", () => {
  const part = { name: "cubic", parameters: { c: "0.5" } };
  const set = withParameter(part, "beta", "0.8");
  expect(writeCc({ slowStart: null, main: set })).toBe("cubic(c=0.5, beta=0.8)");
  expect(withParameter(set, "beta", "")).toEqual(part);
});
