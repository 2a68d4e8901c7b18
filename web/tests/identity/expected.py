"""Digests of plans, and answers to questions, of the compiled core, as JSON on standard output.

The WebAssembly engine must give equal ones: web/tests/unit/identity.test.ts.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import ackclock as ac
from ackclock import _core
from ackclock.border.sharing import plan_text

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[3]
MOST_PS = 20 * 10**12
"""Longer runs end here: a fault shows early, and the test takes a minute at most."""


def algorithm_scenario(cc: str) -> str:
    """A flow with losses on the wire, which shares its bottleneck with CUBIC."""
    return f"""
name = "algorithm"
duration = "8s"
[network]
kind = "dumbbell"
bottleneck.rate = "12Mbit/s"
bottleneck.delay = "15ms"
bottleneck.limit = "60kB"
bottleneck.loss = {{ kind = "bernoulli", p = 0.0005 }}
[[flows]]
cc = "{cc}"
[[flows]]
cc = "cubic"
start = "3s"
[record]
samples = "50ms"
"""


def scenarios() -> Iterator[tuple[str, ac.Scenario]]:
    """Name and scenario of every example without Python classes, and of every algorithm."""
    folder = ROOT / "scenarios"
    for file in sorted(folder.rglob("*.toml")):
        if "python:" not in file.read_text(encoding="utf-8"):
            yield file.relative_to(folder).as_posix(), ac.load(file)
    for algorithm in _core.list_cc():
        is_slow_start = algorithm["role"] == "slow start"
        cc = f"{algorithm['name']}+reno" if is_slow_start else algorithm["name"]
        yield f"cc {cc}", ac.Scenario.parse(tomllib.loads(algorithm_scenario(cc)))


def plans() -> Iterator[tuple[str, str]]:
    """Name and text of each plan; some also with every packet and every change recorded."""
    for number, (name, scenario) in enumerate(scenarios()):
        plan = scenario.plan()
        plan["duration_ps"] = min(plan["duration_ps"], MOST_PS)
        plan["warmup_ps"] = min(plan["warmup_ps"], plan["duration_ps"] // 2)
        yield name, plan_text(plan)
        if number % 10 == 0:
            plan["duration_ps"] = min(plan["duration_ps"], MOST_PS // 5)
            plan["warmup_ps"] = min(plan["warmup_ps"], plan["duration_ps"] // 2)
            plan["record"]["samples"] = {"kind": "changes"}
            plan["record"]["packet_links"] = list(range(len(plan["links"])))
            yield f"{name}, each packet", plan_text(plan)


QUESTIONS: tuple[tuple[str, tuple[object, ...]], ...] = (
    ("list_cc", ()),
    ("list_qdisc", ()),
    ("columns", ()),
    ("row_bytes", ()),
    *(("implied_by_cc", (cc,)) for cc in ("tahoe", "cos+reno", "prague", "nonsense")),
    *(("check_cc", (cc,)) for cc in ("cubic(beta=0.8)", "cubic(beta=8)", "cubci", "a+b", "")),
    *(("parse_time", (text,)) for text in ("60ms", "1.5 s", "3h", "3 parsecs", "")),
    *(("parse_rate", (text,)) for text in ("10Mbit/s", "1MB/s", "fast")),
    *(("parse_size", (text,)) for text in ("64KiB", "1500 bytes", "-1B")),
    *(("format_time", (number,)) for number in (0, 60_000_000_000, 2**64 - 1)),
    *(("format_rate", (number,)) for number in (0, 10_000_000, 2**64 - 1)),
    *(("format_size", (number,)) for number in (0, 65_536, 2**64 - 1)),
    *(("nearest", (name, ["rate", "delay"])) for name in ("dely", "nothing")),
    *(
        (function, (text,))
        for function in ("check_distribution", "mean")
        for text in (
            '{"kind": "uniform", "low": 0.0, "high": 1.0}',
            '{"kind": "exponential", "mean": 2.5}',
            '{"kind": "exponential", "mean": -1.0}',
            '{"kind": "unform"}',
        )
    ),
    ("draw", (2**64 - 1, "a", '{"kind": "exponential", "mean": 2.5}', 3)),
)


def answers() -> Iterator[dict[str, object]]:
    """Questions to the core and its answers; whole numbers are text."""
    for function, arguments in QUESTIONS:
        try:
            answer = {"ok": getattr(_core, function)(*arguments)}
        except ValueError as error:
            answer = {"error": str(error)}
        given = [str(it) if isinstance(it, int) else it for it in arguments]
        yield {"question": {"f": function, "a": given}, "answer": answer}


def preset_digests() -> dict[str, str]:
    """Return the digest of each preset of the page by its name."""
    files = (ROOT / "web" / "public" / "presets").glob("*.json")
    found = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(files)}
    return {
        name: _core.run(preset["plan"]).digest()
        for name, preset in found.items()
        if name != "index"
    }


def main() -> None:
    """Print the part that the command line names: digests, answers or presets."""
    match sys.argv[1:]:
        case ["digests"]:
            found: object = [
                {"name": name, "plan": plan, "digest": _core.run(plan).digest()}
                for name, plan in plans()
            ]
        case ["answers"]:
            found = list(answers())
        case ["presets"]:
            found = preset_digests()
        case _:
            sys.exit("usage: expected.py digests|answers|presets")
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
