import { describe, expect, test } from "vitest";
import { layOut } from "../../../src/pipe/layout";
import type { Link, Network, Route } from "../../../src/pipe/network";

function link(name: string, rate: number | null, delay = 1e7): Link {
  const service = rate === null ? { kind: "none" as const } : { kind: "constant" as const, rate };
  const limits = [{ from: 0, packets: 50, bytes: null }];
  return { name, rate, delay, service, qdisc: "fifo", limits, hasConstantDelay: true };
}

function route(name: string, path: number[], reversePath: number[]): Route {
  return {
    name,
    cc: "reno",
    partOf: null,
    path,
    reversePath,
    mss: 1448,
    packetSize: 1500,
    hasHostTime: false,
  };
}

const MANY = 40;
const networks: readonly [string, Network][] = [
  [
    "a dumbbell",
    { links: [link("b", 1e7), link("b.reverse", 1e7)], routes: [route("a", [0], [1])], flows: 1 },
  ],
  [
    "two ways",
    {
      links: [link("b", 1e7), link("b.reverse", 1e7)],
      routes: [route("a", [0], [1]), route("b", [1], [0])],
      flows: 2,
    },
  ],
  [
    "a parking lot",
    {
      links: [
        ...["1", "2", "1r", "2r"].map((name) => link(name, 1e7)),
        ...["up", "down", "upr", "downr"].map((name) => link(name, null)),
      ],
      routes: [route("long", [0, 1], [3, 2]), route("side", [4, 1, 5], [7, 3, 6])],
      flows: 2,
    },
  ],
  [
    "forty flows with links of their own",
    {
      links: [
        link("b", 1e7),
        link("b.reverse", 1e7),
        ...Array.from({ length: 2 * MANY }, (_, at) => link(`access${at}`, null)),
      ],
      routes: Array.from({ length: MANY }, (_, at) =>
        route(`f${at}`, [2 + 2 * at, 0], [1, 3 + 2 * at]),
      ),
      flows: MANY,
    },
  ],
];

describe.each(networks)("%s", (_, network) => {
  test.each([320, 390, 800, 1280, 1920])("fits into %i pixels", (width) => {
    const layout = layOut(network, width, new Set());
    const used = new Set(network.routes.flatMap((one) => [...one.path, ...one.reversePath]));
    expect(new Set(layout.lanes.map((lane) => lane.link))).toEqual(used);
    for (const { wire, queue } of layout.lanes) {
      for (const box of queue ? [wire, queue] : [wire]) {
        expect(box.width).toBeGreaterThan(0);
        expect(box.x).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width).toBeLessThanOrEqual(width + 0.01);
        expect(box.y).toBeGreaterThanOrEqual(0);
        expect(box.y + box.height).toBeLessThanOrEqual(layout.height);
      }
    }
  });

  test("shows the links of a path from its sender to its receiver", () => {
    const { lanes } = layOut(network, 1280, new Set());
    const left = (index: number) => lanes.find((lane) => lane.link === index)?.wire.x ?? 0;
    const [first] = network.routes;
    const ways = first?.path.map(left) ?? [];
    expect(ways).toEqual([...ways].sort((a, b) => a - b));
  });
});
