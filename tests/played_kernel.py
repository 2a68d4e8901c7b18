"""Plays a kernel in virtual time: simulates the plan of the current folder, as `inside` runs it."""

import json
import sys
import time
from pathlib import Path

from ackclock.engine.run import run_plan
from ackclock.results.provenance import VIRTUAL
from ackclock.scenario.own import Finder
from linux_machine import provenance


def main(cc: str, pause_s: float) -> None:
    plan = json.loads(Path("plan.json").read_text())["plan"]
    for flow in plan["flows"]:
        flow["cc"] = flow["cc"] if cc == "-" else cc

    def say(**what: object) -> None:
        with Path("said").open("a") as said:
            said.write(json.dumps(what) + "\n")

    say(progress=0.5)
    time.sleep(pause_s)
    run = run_plan(json.dumps(plan), lambda share: say(progress=share), Finder(None))
    Path("run").write_bytes(run.to_bytes())
    made_by = provenance(emulator_scheduling=VIRTUAL, endpoint_scheduling=VIRTUAL)
    say(answer={"timing": {}, "provenance": made_by})


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
