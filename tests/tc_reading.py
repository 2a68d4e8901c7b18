"""A script that sets up every case on a device of its own, and reads the kernel's parameters back.

Run as a program, it prints the script; `tests/tc/linux-6.1.json` was made from its output in a
virtual machine:

    PYTHONPATH=tests python -m tc_reading > todo.sh        # here
    sh todo.sh > out.txt                        # there, as root, with tc and all modules
    PYTHONPATH=tests python -m tc_reading out.txt > tests/tc/linux-6.1.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.results.queue_limits import full_packets
from ackclock.scenario import Scenario
from ackclock.scenario.tc import commands_of
from ackclock.scenario.tc.link import DEVICE
from tc_cases import CASES, scenario_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_CASE, _ERROR, _SHOWN = "== ", "!! ", "-- "


def commands(keys: dict[str, Any]) -> list[str]:
    """The commands of a case, for the device d0."""
    plan = Scenario.parse(scenario_table(keys)).plan()
    translation = commands_of(plan["links"][0], full_packets(plan)[0])
    return [
        " ".join(["tc", *("d0" if word == DEVICE else word for word in words)])
        for words in translation.setup
    ]


def script(names: Iterable[str] = CASES) -> str:
    """A shell script that prints the parameters of each case, or tc's complaint."""
    lines = []
    for name in names:
        lines += [f"echo '{_CASE}{name}'", "ip link add d0 type veth peer name d1"]
        lines += [f"{command} 2>&1 | sed 's/^/{_ERROR}/'" for command in commands(CASES[name][0])]
        lines += [
            f"printf '%s' '{_SHOWN}'",
            "tc -s -d -j qdisc show dev d0",
            "echo",
            "ip link del d0",
        ]
    return "\n".join(lines) + "\n"


def read(output: str) -> dict[str, dict[str, Any]]:
    """Commands, complaints and parameters of each case in the script's output."""
    cases: dict[str, dict[str, Any]] = {}
    case: dict[str, Any] = {}
    for line in output.splitlines():
        if line.startswith(_CASE):
            name = line.removeprefix(_CASE)
            case = cases[name] = {"commands": commands(CASES[name][0]), "errors": [], "shown": []}
        elif line.startswith(_ERROR):
            case["errors"].append(line.removeprefix(_ERROR))
        elif line.startswith(_SHOWN) and line != _SHOWN:
            shown = json.loads(line.removeprefix(_SHOWN))
            kept = [{key: qdisc[key] for key in ("kind", "handle", "options")} for qdisc in shown]
            for qdisc in kept:
                # With details tc writes a bucket with its cell, "1516b/1".
                burst = str(qdisc["options"].get("burst", ""))
                if burst.endswith("/1"):
                    qdisc["options"]["burst"] = int(burst.removesuffix("b/1"))
            case["shown"] = sorted(kept, key=lambda qdisc: int(qdisc["handle"].rstrip(":"), 16))
    return cases


def differences(case: str, shown: Iterable[Mapping[str, Any]]) -> list[str]:
    """Parameters that are not those expected of a case, in words."""
    wanted = CASES[case][1]
    there = list(shown)
    kinds = [qdisc["kind"] for qdisc in there]
    if kinds != [kind for kind, _ in wanted]:
        return [f"kinds {kinds}"]
    return [
        f"{kind} {key}: {qdisc['options'].get(key)!r}, not {value!r}"
        for (kind, options), qdisc in zip(wanted, there, strict=True)
        for key, value in options.items()
        if not _is_near(qdisc["options"].get(key), value)
    ]


def _is_near(figure: Any, wanted: Any) -> bool:
    """Whether a kernel's figure is the one wanted, but for the rounding of its clock's ticks."""
    if isinstance(wanted, dict):
        return isinstance(figure, dict) and all(
            _is_near(figure.get(key), value) for key, value in wanted.items()
        )
    if isinstance(wanted, bool) or not isinstance(wanted, int | float):
        return bool(figure == wanted)
    return isinstance(figure, int | float) and abs(figure - wanted) <= max(
        1, 1e-3 * abs(wanted)
    ) * (1 if isinstance(wanted, int) else 1e-3)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        output = Path(sys.argv[1]).read_text(encoding="utf-8")
        sys.stdout.write(json.dumps(read(output), indent=1) + "\n")
    else:
        sys.stdout.write(script())
