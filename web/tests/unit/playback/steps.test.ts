import { beforeAll, describe, expect, test } from "vitest";
import type { Detail, RunResult } from "../../../src/engine/contract";
import { prepare } from "../../../src/pipe/journal";
import { readNetwork } from "../../../src/pipe/network";
import { eventTimes, neighbour, roundTrip } from "../../../src/playback/steps";
import { canPlay, sizeOf } from "../../../src/playback/windows";
import { dumbbell, run } from "../runs";

const plan = dumbbell({ flows: [{ cc: "reno" }, { cc: "bbr" }] });
let result: RunResult;
let detail: Detail;

beforeAll(async () => {
  result = await run(plan);
  const { packets } = result.tables;
  const decisions = { rows: 0, columns: {} };
  detail = { from: 0, to: result.endTime, packets, decisions, rules: [] };
  await prepare(detail, plan, result);
});

/** Times of rows, s. */
function times(event: string, link: number, isAck: number, flow: number): Set<number> {
  const { columns, rows } = detail.packets;
  const names = columns.event?.names ?? [];
  const found = new Set<number>();
  for (let row = 0; row < rows; row++) {
    const at = (name: string) => columns[name]?.values[row] ?? Number.NaN;
    const isRight = at("where") === link && at("flow") === flow && at("is_ack") === isAck;
    if (isRight && names[at("event")]?.startsWith(event)) found.add(at("time_ns") / 1e9);
  }
  return found;
}

describe.each([0, 1])("steps of flow %i", (flow) => {
  test("by packet: each time at which it sends, and no other", () => {
    const sent = [...times("send", 0, 0, flow), ...times("drop-forced", 0, 0, flow)];
    const expected = [...new Set(sent)].sort((a, b) => a - b);
    expect([...eventTimes(detail, "packet", flow)]).toEqual(expected);
  });

  test("by ACK: each time at which an ACK reaches it, and no other", () => {
    const expected = [...times("receive", 1, 1, flow)].sort((a, b) => a - b);
    expect([...eventTimes(detail, "ack", flow)]).toEqual(expected);
  });

  test("forward and back again is the time before", () => {
    const all = eventTimes(detail, "ack", flow);
    const start = all[100] as number;
    const next = neighbour(all, start, 1) as number;
    expect(next).toBe(all[101]);
    expect(neighbour(all, next, -1)).toBe(start);
    expect(neighbour(all, (start + next) / 2, 1)).toBe(next);
    expect(neighbour(all, (start + next) / 2, -1)).toBe(start);
    expect(neighbour(all, all.at(-1) as number, 1)).toBe(null);
    expect(neighbour(all, 0, -1)).toBe(null);
  });
});

test("a round trip lasts as long as the sender thinks", () => {
  const network = readNetwork(plan);
  expect(roundTrip(result, network, 0, 0)).toBeCloseTo(0.06, 3);
  expect(roundTrip(result, network, 0, 3)).toBeGreaterThan(0.06);
});

describe("windows", () => {
  test("have a bounded number of rows", () => {
    const network = readNetwork(plan);
    const many = { ...result, links: result.links.map(busier(100)) };
    const { length, lead, tail } = sizeOf(many, network);
    const rate = (100 * detail.packets.rows) / result.endTime;
    expect(length).toBeGreaterThan(0);
    expect((length + lead + tail) * rate).toBeLessThan(200_000);
    expect(sizeOf({ ...result, links: result.links.map(busier(10_000)) }, network).length).toBe(
      0,
    );
  });

  test("are played one packet at a time only if they last", () => {
    const size = { length: 2, lead: 0.1, tail: 0.1 };
    expect(canPlay(size, 1, 60)).toBe(true);
    expect(canPlay(size, 10, 60)).toBe(false);
    expect(canPlay(size, 1000, 2)).toBe(true);
    expect(canPlay({ ...size, length: 0 }, 0.001, 60)).toBe(false);
  });
});

function busier(factor: number) {
  return (link: RunResult["links"][number]) => ({
    ...link,
    arrived_packets: Number(link.arrived_packets) * factor,
    delivered_packets: Number(link.delivered_packets) * factor,
  });
}
