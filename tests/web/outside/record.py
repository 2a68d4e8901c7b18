"""Measures the lessons' figures elsewhere: `PYTHONPATH=tests python tests/web/outside/record.py`.

    record.py linux --kept FOLDER --times 3      # this machine's kernel: 20 minutes for each time
    record.py ns3                                # g++ and Debian's libns3-dev (3.37)
    record.py ns2 --cos libcos.so                # Debian's ns2, and tests/theory/ns2/record.py
    record.py ours                               # the simulator, with hosts that take 10 to 40 us

Each writes the JSON of its name beside this file. `docs/lessons.md` shows them: `page.py`.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import ns2
import ns3

import ackclock
from ackclock.engine.linux import run_on_linux
from ackclock.results import Result
from ackclock.results.provenance import disturbances
from lesson_claims import CASES, CLAIMS, NOT_ON_LINUX

HERE = Path(__file__).parent
SPREAD = {"transport.host_time": "uniform(10us, 40us)"}
"""Times that hosts took over a packet where docs/validation.md measured it."""
SEEDS = range(1, 7)

Of = Callable[[str], Any]


class AbsentError(Exception):
    """This judge has no run of a case."""


def say(line: str) -> None:
    """Write a line to standard error."""
    sys.stderr.write(f"{line}\n")


def figures(engine: str, runs: Sequence[Callable[[str, str], Any]]) -> dict[str, Any]:
    """The value of each claim's measure in each set of runs."""
    rows = []
    for claim in CLAIMS:
        values = []
        for of in runs:
            try:
                values.append(float(f"{claim.measure(partial(of, claim.lesson)):.6g}"))
            except AbsentError:
                continue
            except (KeyError, IndexError, ValueError, TypeError, AttributeError) as error:
                say(f"{engine}: {claim.lesson}: {claim.text}: {type(error).__name__}: {error}")
        if values:
            rows.append({"lesson": claim.lesson, "text": claim.text, "values": values})
    return {"engine": engine, "figures": rows}


def write(name: str, recording: dict[str, Any]) -> None:
    """One line per figure, so that a change shows as a change of lines."""
    rows = ",\n".join(json.dumps(row) for row in recording.pop("figures"))
    head = json.dumps(recording)[1:-1]
    (HERE / f"{name}.json").write_text(f'{{{head}, "figures": [\n{rows}\n]}}\n', encoding="utf-8")


def linux(kept: Path, times: int, *, more: bool) -> None:
    """Run every case on the kernel, but for runs that `kept` has from an earlier call."""
    for number in range(1, times + 1 if more else 1):
        for lesson, cases in CASES.items():
            for name, case in cases.items():
                folder = kept / place(lesson, name, number)
                if (lesson, name) in NOT_ON_LINUX or (folder / "summary.json").is_file():
                    continue
                say(folder.name)
                run_on_linux(case.scenario(lesson)).write(folder, report=False)

    @cache
    def of(number: int, lesson: str, name: str) -> Any:
        folder = kept / place(lesson, name, number)
        if not (folder / "summary.json").is_file():
            raise AbsentError
        return Result.load(folder)

    runs = [
        of(number, lesson, name)
        for number in range(1, times + 1)
        for lesson, cases in CASES.items()
        for name in cases
        if (kept / place(lesson, name, number) / "summary.json").is_file()
    ]
    disturbed = [
        run
        for run in runs
        if disturbances(run.provenance, run.flows["base_rtt"].drop_nulls().to_list())
    ]
    (engine,) = {f"Linux {run.provenance['release']}" for run in runs}
    measured = figures(engine, [partial(of, number) for number in range(1, times + 1)])
    late = max(run.provenance["lateness"]["p99"] for run in runs)
    write(
        "linux",
        {**measured, "runs": len(runs), "disturbed": len(disturbed), "late_p99": round(late, 6)},
    )


def place(lesson: str, name: str, number: int) -> str:
    """The folder's name of a run."""
    return f"{lesson}.{name.replace(' ', '-')}.{number}"


def in_ns3() -> None:
    """Run the cases that ns-3 has."""
    with tempfile.TemporaryDirectory() as folder:
        program = ns3.build(Path(folder))

        @cache
        def of(lesson: str, name: str) -> Any:
            if name not in ns3.CASES.get(lesson, ()):
                raise AbsentError
            scenario = CASES[lesson][name].scenario(lesson)
            calls = (
                ackclock.run(scenario).samples.datagrams if lesson.startswith("buffer") else None
            )
            return ns3.run(program, scenario, calls)

        write("ns3", figures(ns3.NAME, [of]))


def in_ns2(plugin: Path) -> None:
    """Run the cases that ns-2 has."""

    @cache
    def of(lesson: str, name: str) -> Any:
        if name not in ns2.CASES.get(lesson, ()):
            raise AbsentError
        return ns2.run(plugin, CASES[lesson][name].scenario(lesson), lesson)

    write("ns2", figures(ns2.NAME, [of]))


def ours() -> None:
    """Run the simulator with other seeds and hosts that take their time."""

    @cache
    def of(seed: int, lesson: str, name: str) -> Any:
        scenario = CASES[lesson][name].scenario(lesson)
        given = scenario.model_dump()["flows"]
        names = [flow["name"] for flow in given if flow["name"] != "call"]
        changes = {f"flows.{flow}.{key}": value for flow in names for key, value in SPREAD.items()}
        # The call's pauses are a matter of the seed, which is the lesson's.
        seeds = {} if lesson.startswith("buffer") else {"seed": seed}
        return ackclock.run(scenario.replace({**changes, **seeds}))

    write(
        "ours", figures(f"ackclock {ackclock.__version__}", [partial(of, seed) for seed in SEEDS])
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("judge", choices=("linux", "ns3", "ns2", "ours"))
    parser.add_argument("--kept", type=Path, default=Path("runs/lessons-on-linux"))
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--measure-only", action="store_true", help="run nothing on the kernel")
    parser.add_argument("--cos", type=Path, default=Path("libcos.so"))
    given = parser.parse_args()
    if given.judge == "linux":
        linux(given.kept, given.times, more=not given.measure_only)
    elif given.judge == "ns3":
        in_ns3()
    elif given.judge == "ns2":
        in_ns2(given.cos)
    else:
        ours()


if __name__ == "__main__":
    main()
