import { expect, test } from "vitest";
import { nearest, SPEEDS, shifted, speedText } from "../../../src/playback/speeds";

test("speeds go from a thousandth to a thousand times real time, in even steps", () => {
  expect(SPEEDS[0]).toBe(0.001);
  expect(SPEEDS.at(-1)).toBe(1000);
  expect(SPEEDS).toContain(1);
  SPEEDS.slice(1).forEach((speed, at) => {
    const step = speed / (SPEEDS[at] as number);
    expect(step).toBeGreaterThan(1.9);
    expect(step).toBeLessThan(2.6);
  });
});

test("a step of the speed is that of the slider, and ends at its ends", () => {
  expect(shifted(1, 1)).toBe(2);
  expect(shifted(1, -1)).toBe(0.5);
  expect(shifted(3, 0)).toBe(2);
  expect(shifted(1000, 5)).toBe(1000);
  expect(shifted(0.001, -5)).toBe(0.001);
  expect(SPEEDS[nearest(0.0123)]).toBe(0.01);
});

test("speeds read as shares and multiples of real time", () => {
  expect(speedText(1)).toBe("real time");
  expect(speedText(0.002)).toBe("1/500 of real time");
  expect(speedText(50)).toBe("50 × real time");
});
