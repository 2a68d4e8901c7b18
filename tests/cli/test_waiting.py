"""A run loads, draws and writes no more than it needs, however many flows it has."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import ackclock as ac
from ackclock import _core
from ackclock.core_types.sharing import expanded, plan_text, shared
from ackclock.results import Result
from ackclock.results.diagnosis import CHOSEN
from ackclock.results.summary import MOST_ROWS

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.core_types.plan import Plan

DRAWING = {"matplotlib", "scipy", "networkx"}
REPORT = {"jinja2", "ackclock.pages.run"}

SHORT = """
name = "short"
duration = "1s"
[network]
kind = "dumbbell"
bottleneck = {{ rate = "10Mbit/s", delay = "10ms", limit = "1bdp" }}
[[flows]]
cc = "reno"
count = {count}
start = "uniform(0s, 0.5s)"
[record]
samples = "{samples}"
"""


def ackclock(folder: Path, *words: str) -> set[str]:
    """Run a command in a process of its own and return the modules that it loaded."""
    script = (
        "import sys\nfrom ackclock.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
        "print('\\n'.join(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *words, "--quiet"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def scenario(folder: Path, count: int, samples: str = "off") -> None:
    (folder / "short.toml").write_text(SHORT.format(count=count, samples=samples))


@pytest.mark.long
def test_a_run_loads_no_library_that_draws(tmp_path: Path) -> None:
    scenario(tmp_path, 1, "10ms")
    loaded = ackclock(tmp_path, "run", "short.toml")
    assert "ackclock.pages.run" in loaded
    assert not loaded & DRAWING
    assert not ackclock(tmp_path, "run", "short.toml", "--no-report") & (DRAWING | REPORT)


@pytest.mark.long
def test_plot_draws_the_figures_of_a_run_that_then_runs_again(tmp_path: Path) -> None:
    scenario(tmp_path, 1, "10ms")
    ackclock(tmp_path, "run", "short.toml")
    assert "matplotlib" in ackclock(tmp_path, "plot", "runs/short")
    ackclock(tmp_path, "plot", "runs/short", "--out", "paper", "--format", "pdf")
    names = ["cwnd", "overview", "queue", "rate", "rtt"]
    drawn = sorted(path.name for path in (tmp_path / "runs/short/plots").iterdir())
    assert drawn == [f"{name}.svg" for name in names]
    assert sorted(path.name for path in (tmp_path / "paper").iterdir()) == [
        f"{name}.pdf" for name in names
    ]
    result = Result.load(tmp_path / "runs/short")
    assert (tmp_path / "runs/short/plots/overview.svg").read_text() == result.plot().svg()
    # The figures are ackclock's own, so that a new run replaces them with the rest.
    ackclock(tmp_path, "run", "short.toml")
    assert not (tmp_path / "runs/short/plots").exists()


@pytest.mark.long
def test_no_page_has_a_row_for_each_of_very_many_flows(tmp_path: Path) -> None:
    count = 2 * MOST_ROWS
    scenario(tmp_path, count)
    ackclock(tmp_path, "run", "short.toml")
    page = (tmp_path / "runs/short/report.html").read_text(encoding="utf-8")
    assert f"<summary>{count} flows</summary>" in page
    assert page.count("<tr>") < MOST_ROWS
    assert "more rows in <code>flows.parquet</code>" in page


def test_a_folder_with_very_many_flows_is_short_and_loads_in_full(tmp_path: Path) -> None:
    count = MOST_ROWS + 1
    made = ac.run(
        ac.dumbbell(
            rate="10Mbit/s",
            rtt="20ms",
            flows=[ac.flow("reno", count=count), ac.flow("cubic", name="odd")],
            duration="500ms",
            record={"samples": "off"},
        )
    )
    folder = made.write(tmp_path / "many")
    stored = json.loads((folder / "summary.json").read_text())
    assert "flows" not in stored
    assert len(stored["links"]) == 2
    again = Result.load(folder)
    assert again.summary() == made.summary()
    assert again.plan == made.plan
    # Of many flows, some are diagnosed, with those of a small entry among them.
    assert len(made.diagnosis) == CHOSEN
    assert "odd" in {finding["flow"] for finding in made.diagnosis}
    assert again.diagnosis.lines == made.diagnosis.lines
    assert made.diagnosis.lines[0].startswith(f"{CHOSEN} of {count + 1} flows")


def plan(count: int) -> Plan:
    return ac.dumbbell(
        rate="10Mbit/s",
        rtt="20ms",
        flows=[ac.flow("reno", count=count, start="uniform(0s, 1s)")],
        duration="1s",
    ).plan()


def test_a_plan_of_equal_flows_grows_by_what_differs() -> None:
    single, some, many = (len(plan_text(plan(count))) for count in (1, 1001, 2001))
    # A name, a start and the phase of the clock, each with its comma.
    assert (many - some) / 1000 < 60
    assert some < 60 * single


MIXED: list[dict[str, Any]] = [
    {"flows": [ac.flow("reno", count=3), ac.flow("cubic"), ac.flow("cubic", count=2)]},
    {"flows": [ac.flow("reno", count=3, parallel=2, start="exponential(10ms)")]},
    {
        "flows": [
            ac.flow("reno", count=3, access={"rate": "5Mbit/s", "delay": "uniform(1ms, 5ms)"}),
            ac.flow(app={"kind": "cbr", "rate": "1Mbit/s"}, name="stream"),
        ]
    },
    {
        "flows": [
            ac.flow("reno", app={"kind": "short-flows", "size": "20kB", "load": 0.3}, name="web"),
            ac.flow("cubic", app={"kind": "file", "size": "100kB"}, count=4),
        ]
    },
]


@pytest.mark.parametrize("keys", MIXED)
def test_a_short_plan_means_the_long_one(keys: dict[str, Any]) -> None:
    long = ac.dumbbell(rate="10Mbit/s", rtt="20ms", duration="1s", **keys).plan()
    short = shared(long)
    assert "alike_flows" in short
    assert expanded(json.loads(json.dumps(short))) == long
    runs = [_core.run(json.dumps(form)) for form in (long, short)]
    assert runs[0].flows() == runs[1].flows()
    assert runs[0].links() == runs[1].links()
    assert len(json.dumps(short)) < len(json.dumps(long))


@pytest.mark.parametrize(
    ("group", "said"),
    [
        ({"model": 0, "name": ["x", "y"], "start_ps": [1]}, "each column must be empty or have 2"),
        ({"model": 9, "name": ["x"]}, "model 9 must be an entry of flows"),
    ],
)
def test_a_group_that_does_not_fit_is_refused(group: dict[str, Any], said: str) -> None:
    wrong: Any = {**plan(1), "alike_flows": [group]}
    with pytest.raises(ValueError, match=said):
        _core.run(json.dumps(wrong))
    with pytest.raises(ValueError, match=r"zip|alike_flows"):
        expanded(wrong)
