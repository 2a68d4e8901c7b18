import { expect, test } from "vitest";
import {
  eachTravelling,
  eachTrouble,
  eachWaiting,
  type Journal,
  journal,
} from "../../../src/pipe/journal";
import { Fate, Trait } from "../../../src/pipe/packets";
import { finished } from "../finished";
import { dumbbell, run } from "../runs";
import { part } from "./parts";

const SECOND = 1e9;
const jitter = {
  kind: "jitter",
  delay: { kind: "normal", mean: 0.005, sd: 0.002 },
  correlation: 0.25,
  reorder: false,
};

/** The packets that a frame shows, with the places where they are. */
function seen(made: Journal, link: number, time: number): string[] {
  const shown: string[] = [];
  const name = (id: number) => `${made.packets.route[id]} ${made.packets.seq[id]}`;
  eachWaiting(made, link, time, (id) => shown.push(`waits ${name(id)}`));
  eachTravelling(made, link, time, (id) => shown.push(`travels ${name(id)}`));
  return shown.sort();
}

test.each([
  ["fifo", {}],
  ["jitter", { impairments: [jitter] }],
])("a window shows what the whole run shows, with %s", async (_, bottleneck) => {
  const plan = dumbbell({ bottleneck, flows: [{}, { cc: "bbr" }] });
  const { packets, link_samples } = (await run(plan)).tables;
  const whole = finished(journal(packets, plan, link_samples));
  const rows = part(packets, "time_ns", 2.6 * SECOND, 4.2 * SECOND);
  const window = finished(journal(rows, plan, link_samples));
  for (let time = 3 * SECOND; time < 4 * SECOND; time += 0.0131 * SECOND) {
    expect(seen(window, 0, time)).toEqual(seen(whole, 0, time));
  }
});

test("packets that are lost are told from those that arrive", async () => {
  const plan = dumbbell({ bottleneck: { loss: { kind: "bernoulli", p: 0.01 } } });
  const result = await run(plan);
  const made = finished(journal(result.tables.packets, plan, result.tables.link_samples));
  const lost = new Map<number, number>();
  eachTrouble(made, 0, 0, 1e18, (id) => {
    const fate = made.packets.fate[id] as number;
    lost.set(fate, (lost.get(fate) ?? 0) + 1);
  });
  const [link] = result.links;
  expect(lost.get(Fate.LostOnWire)).toBe(link?.dropped_wire);
  expect(lost.get(Fate.Refused) ?? 0).toBe(link?.dropped_forced);
});

test("retransmissions are as many as the sender counts", async () => {
  const plan = dumbbell({ bottleneck: { loss: { kind: "bernoulli", p: 0.01 } } });
  const result = await run(plan);
  const { packets } = finished(journal(result.tables.packets, plan, result.tables.link_samples));
  let again = 0;
  for (let id = 0; id < packets.count; id++) {
    if (packets.has(id, Trait.Retransmission)) again++;
  }
  expect(again).toBe(result.flows[0]?.retransmitted_packets);
});
