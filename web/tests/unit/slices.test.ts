import { expect, test } from "vitest";
import { type Advancing, advance } from "../../src/engine/slices";

/** A run of so many events, a second each. */
function made(events: number): Advancing & { readonly slices: number[] } {
  let left = events;
  const slices: number[] = [];
  return {
    slices,
    advance(most) {
      slices.push(most);
      left -= Math.min(most, left);
      return left === 0 ? -1 : events - left;
    },
  };
}

test("slices grow while they are short, until the run is over", async () => {
  const run = made(1_000_000);
  const told: number[] = [];
  const end = await advance(run, { isWanted: () => true, tell: (now) => told.push(now) });
  expect(end).toBe(-1);
  expect(run.slices.length).toBeLessThan(10);
  expect(told.length).toBe(run.slices.length - 1);
});

test("a run stops at the first event of the time asked for, or after it", async () => {
  const run = made(1_000_000);
  expect(await advance(run, { until: 5000, isWanted: () => true, tell: () => {} })).toBe(10_000);
});

test("a slice that takes long is followed by shorter ones, and messages come in between", async () => {
  const slices: number[] = [];
  const run: Advancing = {
    advance(events) {
      slices.push(events);
      for (const until = performance.now() + 20; performance.now() < until; );
      return slices.length < 4 ? 1 : -1;
    },
  };
  let messages = 0;
  const beat = setInterval(() => messages++, 1);
  await advance(run, { isWanted: () => true, tell: () => {} });
  clearInterval(beat);
  expect(slices).toEqual([...slices].sort((a, b) => b - a));
  expect(slices.at(-1)).toBeLessThan(slices[0] ?? 0);
  expect(messages).toBeGreaterThan(0);
});

test("a run that nobody wants ends after a slice", async () => {
  const run = made(1_000_000);
  expect(await advance(run, { isWanted: () => false, tell: () => {} })).toBeNull();
  expect(run.slices.length).toBe(1);
});
