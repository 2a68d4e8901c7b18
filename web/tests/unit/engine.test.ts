import { describe, expect, test } from "vitest";
import type { Column, Detail, Table } from "../../src/engine/contract";
import { EngineError } from "../../src/engine/contract";
import { Details, run } from "../../src/engine/runs";
import { Instance } from "../../src/engine/wasm";
import { engineModule } from "./module";
import { changed, PLAN } from "./plan";

const module = engineModule();
const isWanted = () => true;

async function whole(plan: string) {
  const result = await run(module, plan, isWanted, () => {});
  if (!result) throw new Error("it was wanted");
  return result;
}

async function part(details: Details, from: number, to: number): Promise<Detail> {
  const detail = await details.part(module, PLAN, from, to, isWanted);
  if (!detail) throw new Error("it was wanted");
  return detail;
}

function column(table: Table, name: string): Column {
  const found = table.columns[name];
  if (!found) throw new Error(`there is no column ${name}`);
  return found;
}

describe("a run", () => {
  test("has counters, time series and a digest", async () => {
    const result = await whole(PLAN);
    expect(result.endTime).toBe(5);
    expect(result.digest).toMatch(/^[0-9a-f]{16}$/);
    expect(result.flows.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(result.recordedUntil).toEqual({});
    const samples = result.tables.flow_samples;
    const time = column(samples, "time").values;
    expect(time.length).toBe(samples.rows);
    expect(time[samples.rows - 1]).toBe(5);
    expect(column(samples, "delivered").values[samples.rows - 1]).toBeGreaterThan(1e6);
    expect(column(samples, "state").names).toContain("recovery");
    expect((await whole(PLAN)).digest).toBe(result.digest);
    expect((await whole(changed("seed", 8))).digest).not.toBe(result.digest);
  });

  test("tells of its progress, and ends when nobody wants it", async () => {
    const long = changed("duration_ps", 600_000_000_000_000);
    const shares: number[] = [];
    const result = await run(
      module,
      long,
      () => shares.length < 3,
      (share) => shares.push(share),
    );
    expect(result).toBeNull();
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares[2]).toBeLessThan(1);
  });

  test("keeps a seed above 2^53", async () => {
    const exact = (seed: string) => PLAN.replace('"seed": 7', `"seed": ${seed}`);
    const one = await whole(exact("9007199254740993"));
    expect(one.digest).not.toBe((await whole(exact("9007199254740992"))).digest);
  });

  test("is refused in one sentence", async () => {
    await expect(whole("{")).rejects.toThrow(EngineError);
    await expect(whole("{")).rejects.toThrow(/^the plan is not valid: EOF[^\n]*$/);
    await expect(whole(PLAN.replace('"cubic"', '"cubci"'))).rejects.toThrow(/did you mean/);
  });
});

describe("a part of a run in detail", () => {
  test("is the same whether the run goes on or begins again", async () => {
    const details = new Details();
    await part(details, 0.5, 1);
    const goneOn = await part(details, 2, 2.25);
    const again = await part(new Details(), 2, 2.25);
    expect(again).toEqual(goneOn);
    const before = await part(details, 1.5, 2.25);
    const times = column(before.packets, "time_ns").values;
    expect(before.packets.rows).toBeGreaterThan(again.packets.rows);
    expect(times.every((time) => time >= 1.5e9 && time < 2.25e9)).toBe(true);
    expect(times.slice(times.findIndex((time) => time >= 2e9))).toEqual(
      column(again.packets, "time_ns").values,
    );
  });

  test("may reach beyond the end", async () => {
    const details = new Details();
    expect((await part(details, 4.9, 7)).packets.rows).toBeGreaterThan(0);
    expect((await part(details, 6, 7)).packets.rows).toBe(0);
  });

  test("ends when nobody wants it, and the next one goes on", async () => {
    const details = new Details();
    expect(await details.part(module, PLAN, 4, 5, () => false)).toBeNull();
    expect(await part(details, 4, 4.5)).toEqual(await part(new Details(), 4, 4.5));
  });
});

test("the resolver's questions are answered as text", () => {
  const instance = new Instance(module);
  const ask = (f: string, ...a: unknown[]) => JSON.parse(instance.ask(JSON.stringify({ f, a })));
  expect(ask("parse_time", "60ms")).toEqual({ ok: 60_000_000_000 });
  expect(instance.ask('{"f": "parse_time", "a": ["3h"]}')).toBe('{"ok":10800000000000000}');
  expect(ask("nearest", "dely", ["rate", "delay"])).toEqual({ ok: "delay" });
  expect(ask("sing").error).toContain("'sing'");
});

test("an engine that fails says so in one sentence", () => {
  const failing = new Instance(module);
  // No run was started, and the engine was told of none: its own check, not a trap.
  expect(() => failing.finish()).toThrow("no run was started");
  expect(() => failing.window(0, 1)).toThrow(EngineError);
  expect(failing.advance(1)).toBe(-1);
});
