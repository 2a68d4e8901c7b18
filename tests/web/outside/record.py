"""Measures the lessons' figures elsewhere: `python tests/web/outside/record.py`.

    record.py linux --kept FOLDER --times 3      # this machine's kernel: 20 minutes for each time
    record.py ns3                                # g++ and Debian's libns3-dev (3.37)
    record.py ns2 --cos libcos.so                # Debian's ns2, and tests/theory/ns2/record.py
    record.py ours                               # the simulator, with hosts that take 10 to 40 us

Each writes the JSON of its name beside the lessons, whose study judges it.
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
from ackclock.scenario import Scenario
from ackclock_papers.lessons import NUMBERS, STUDY, scenario

SPREAD = {"transport.host_time": "uniform(10us, 40us)"}
"""Times that hosts took over a packet where docs/validation.md measured it."""
SEEDS = range(1, 7)

VARIANTS = {recording.name: tuple(recording.variants) for recording in STUDY.recordings}
SHORTER = {
    ("slow-start", "base"): "10s",
    ("slow-start", "try 1"): "5s",
    ("slow-start", "try 2"): "5s",
    ("slow-start", "try 3"): "5s",
    ("slow-start", "CUBIC"): "5s",
    ("aimd-fairness", "without ssthresh"): "36s",
    ("aimd-fairness", "try 1 without ssthresh"): "26s",
    ("cubic", "try 2"): "42s",
    ("bbr-probes", "try 1"): "18s",
}
"""Enough for all that is measured, where it is less than the lesson's."""
NOT_ON_LINUX = {
    ("slow-start", "try 3"),
    ("aimd-fairness", "base"),
    ("aimd-fairness", "try 1"),
    ("aimd-fairness", "try 2"),
    ("aimd-fairness", "try 3"),
    ("cubic", "try 3"),
    ("bbr-beside-cubic", "try 2"),
    *(("cos-slow-start", name) for name in VARIANTS["cos-slow-start"]),
}
"""Runs that Linux 6.18 with reno, cubic and bbr cannot make, by lesson and variant."""


class AbsentError(Exception):
    """This judge has no run of a case."""


def say(line: str) -> None:
    """Write a line to standard error."""
    sys.stderr.write(f"{line}\n")


def case(lesson: str, variant: str) -> Scenario:
    """The scenario, as long as it takes to measure all of it."""
    duration = SHORTER.get((lesson, variant))
    return scenario(lesson, variant, {} if duration is None else {"duration": duration})


def write(
    name: str, simulator: str, runs: Sequence[Callable[[str, str], Any]], **more: object
) -> None:
    """Write each number's measure in each set of runs, a line for each lesson and set."""
    rows = []
    for lesson, numbers in NUMBERS.items():
        for seed, run in enumerate(runs, 1):
            row: dict[str, Any] = {"run": lesson, "seed": seed}
            for number in numbers:
                try:
                    if number.kind.bar:
                        value = number.measure.of(partial(run, lesson))
                        row[number.name] = float(f"{value:.6g}")
                except AbsentError:
                    continue
                except (KeyError, IndexError, ValueError, TypeError, AttributeError) as error:
                    say(f"{simulator}: {lesson}: {number.name}: {type(error).__name__}: {error}")
            if len(row) > 2:
                rows.append(row)
    made_by = f"tests/web/outside/record.py {name}"
    head = json.dumps({"simulator": simulator, "made_by": made_by, **more})[1:-1]
    lines = ",\n".join(json.dumps(row) for row in rows)
    (STUDY.folder / f"{name}.json").write_text(f'{{{head}, "runs": [\n{lines}\n]}}\n', "utf-8")


def linux(kept: Path, times: int, *, more: bool) -> None:
    """Run every case on the kernel, but for runs that `kept` has from an earlier call."""
    for number in range(1, times + 1 if more else 1):
        for lesson, variants in VARIANTS.items():
            for name in variants:
                folder = kept / place(lesson, name, number)
                if (lesson, name) in NOT_ON_LINUX or (folder / "summary.json").is_file():
                    continue
                say(folder.name)
                run_on_linux(case(lesson, name)).write(folder, report=False)

    @cache
    def of(number: int, lesson: str, name: str) -> Any:
        folder = kept / place(lesson, name, number)
        if not (folder / "summary.json").is_file():
            raise AbsentError
        return Result.load(folder)

    made = [
        of(number, lesson, name)
        for number in range(1, times + 1)
        for lesson, variants in VARIANTS.items()
        for name in variants
        if (kept / place(lesson, name, number) / "summary.json").is_file()
    ]
    disturbed = [
        run
        for run in made
        if disturbances(run.provenance, run.flows["base_rtt"].drop_nulls().to_list())
    ]
    (engine,) = {f"Linux {run.provenance['release']}" for run in made}
    late = max(run.provenance["lateness"]["p99"] for run in made)
    write(
        "linux",
        engine.split("-fc")[0],
        [partial(of, number) for number in range(1, times + 1)],
        runs_in_all=len(made),
        disturbed=len(disturbed),
        late_p99=round(late, 6),
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
            given = case(lesson, name)
            calls = ackclock.run(given).samples.datagrams if lesson.startswith("buffer") else None
            return ns3.run(program, given, calls)

        write("ns3", ns3.NAME, [of])


def in_ns2(plugin: Path) -> None:
    """Run the cases that ns-2 has."""

    @cache
    def of(lesson: str, name: str) -> Any:
        if name not in ns2.CASES.get(lesson, ()):
            raise AbsentError
        return ns2.run(plugin, case(lesson, name), lesson)

    write("ns2", ns2.NAME, [of])


def ours() -> None:
    """Run the simulator with other seeds and hosts that take their time."""

    @cache
    def of(seed: int, lesson: str, name: str) -> Any:
        given = case(lesson, name)
        flows = given.model_dump()["flows"]
        names = [flow["name"] for flow in flows if flow["name"] != "call"]
        changes = {f"flows.{flow}.{key}": value for flow in names for key, value in SPREAD.items()}
        # The call's pauses are a matter of the seed, which is the lesson's.
        seeds = {} if lesson.startswith("buffer") else {"seed": seed}
        return ackclock.run(given.replace({**changes, **seeds}))

    write("ours", f"ackclock {ackclock.__version__}", [partial(of, seed) for seed in SEEDS])


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
