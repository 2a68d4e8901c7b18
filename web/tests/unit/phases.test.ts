import { beforeAll, expect, test } from "vitest";
import { sampledFlows } from "../../src/charts/flows";
import { grid } from "../../src/charts/grid";
import { flowPhases } from "../../src/charts/phases";
import { askPython } from "./cpython";
import { run } from "./runs";

const CCS = ["reno", "cubic", "tahoe", "bbr", "bbr3", "copa", "hystartpp+cubic", "dctcp"];

const PHASES = `
import json, sys
import ackclock as ac
from ackclock.border.sharing import plan_text
from ackclock.curves.phases import flow_phases
found = []
for cc in json.load(sys.stdin):
    qdisc = {"kind": "step", "threshold": "20 packets"} if cc == "dctcp" else "fifo"
    flows = [ac.flow(cc, name="a"), ac.flow("reno", name="b", start="2s")]
    scenario = ac.dumbbell(rate="10Mbit/s", rtt="40ms", buffer="1bdp", qdisc=qdisc, flows=flows,
                           loss="0.2%", duration="15s", record={"samples": "10ms"})
    result = ac.run(scenario)
    phases = [[[p.start, p.end, p.name] for p in flow_phases(result, flow, detail=True)]
              for flow in result.series]
    found.append({"cc": cc, "plan": plan_text(scenario.plan()), "phases": phases})
print(json.dumps({"found": found}))`;

interface Found {
  readonly found: readonly {
    readonly cc: string;
    readonly plan: string;
    readonly phases: readonly (readonly (readonly [number, number, string])[])[];
  }[];
}

let python: Found;
beforeAll(() => {
  python = askPython(PHASES, CCS);
}, 120_000);

test.each(CCS)("%s has the phases of ackclock.curves", async (cc) => {
  const { plan, phases } = python.found.find((one) => one.cc === cc) ?? { plan: "", phases: [] };
  const result = await run(plan);
  const samples = grid(result.tables.flow_samples, "flow");
  const flows = sampledFlows(result);
  expect(flows.map(({ name }) => name)).toEqual(["a", "b"]);
  flows.forEach((flow, index) => {
    const own = flowPhases(result, flow, samples);
    expect(own.map(({ start, end, name }) => [start, end, name])).toEqual(phases[index]);
  });
});
