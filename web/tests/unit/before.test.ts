import { beforeAll, expect, test } from "vitest";
import type { Table } from "../../src/engine/contract";
import { addFlowAt, changeCcAt, setAt } from "../../src/knobs/edits";
import type { Scenario } from "../../src/resolver/contract";
import { askPython } from "./cpython";
import { run } from "./runs";

const AT = 6;
const LINK = ["network", "bottleneck"];
const BASE: Scenario = {
  duration: "12s",
  record: { samples: "20ms" },
  network: { kind: "dumbbell", bottleneck: { rate: "10Mbit/s", delay: "20ms", limit: "1bdp" } },
  flows: [
    { name: "a", cc: "reno" },
    { name: "b", cc: "bbr", start: "1s" },
  ],
};
const LOSSY = setAt(BASE, LINK, "loss", 0, "0.5%");

const CHANGES: Readonly<Record<string, readonly [before: Scenario, after: Scenario]>> = {
  rate: [BASE, setAt(BASE, LINK, "rate", AT, "4Mbit/s")],
  delay: [BASE, setAt(BASE, LINK, "delay", AT, "60ms")],
  buffer: [BASE, setAt(BASE, LINK, "limit", AT, "4bdp")],
  loss: [BASE, setAt(BASE, LINK, "loss", AT, "3%")],
  "another loss": [LOSSY, setAt(LOSSY, LINK, "loss", AT, "4%")],
  "rate of a lossy link": [LOSSY, setAt(LOSSY, LINK, "rate", AT, "4Mbit/s")],
  "a new flow": [BASE, addFlowAt(BASE, "cubic", AT)],
  "another algorithm": [BASE, changeCcAt(BASE, 0, "cubic", AT)],
};

const PLANS = `
import json, sys
from ackclock.core_types.sharing import plan_text
from ackclock.scenario import Scenario
print(json.dumps([plan_text(Scenario.parse(one).plan()) for one in json.load(sys.stdin)]))`;

let plans: readonly string[] = [];
beforeAll(() => {
  plans = askPython(PLANS, Object.values(CHANGES).flat());
}, 60_000);

/**
 * Columns that are no state. A link may count a loss on its wire when the packet arrives or when it
 * leaves. The queueing delay is that of a packet which arrives now, and will see the new rate.
 */
const NO_STATE = ["lost", "dropped", "queue_delay"];

/** Rows of a table in a span of time, as text. */
function rows(table: Table, from: number, to: number): string[] {
  const columns = Object.values(table.columns).filter(({ name }) => !NO_STATE.includes(name));
  const time = table.columns.time?.values ?? [];
  return [...time].flatMap((at, row) =>
    at >= from && at < to ? [columns.map(({ values }) => values[row]).join(" ")] : [],
  );
}

test.each(Object.keys(CHANGES))(
  "%s: all is the same before it, and other after it",
  async (name) => {
    const at = 2 * Object.keys(CHANGES).indexOf(name);
    const [before, after] = await Promise.all(
      [at, at + 1].map((index) => run(plans[index] ?? "")),
    );
    if (!before || !after) throw new Error("there are two runs");
    for (const table of ["flow_samples", "link_samples", "internals"] as const) {
      const early = rows(before.tables[table], 0, AT);
      expect(early.length).toBeGreaterThan(100);
      expect(rows(after.tables[table], 0, AT), table).toEqual(early);
    }
    const late = (one: typeof before) => rows(one.tables.flow_samples, AT + 0.5, 12);
    expect(late(after)).not.toEqual(late(before));
  },
);
