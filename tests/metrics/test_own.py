"""The user's metrics: in Python, in comparisons, from the command line, and when wrong."""

import itertools
import json
import math
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import ackclock as ac
from ackclock.metrics import METRICS, find_metric, range_of
from ackclock.metrics import registry as registry_of_metrics
from ackclock.results import Result
from scripts import ackclock_command

if TYPE_CHECKING:
    import subprocess

Make = Callable[..., Result]
Write = Callable[[str], str]

_numbers = itertools.count()

SCENARIO = """
duration = "3s"
network.kind = "dumbbell"
network.bottleneck = { rate = "5Mbit/s", delay = "10ms", limit = "20 packets" }
flows = [{ name = "a", cc = "reno" }, { name = "b", cc = "cubic" }]
"""


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    """A test's metrics end with it."""
    before = dict(registry_of_metrics._own)
    yield
    registry_of_metrics._own.clear()
    registry_of_metrics._own.update(before)


@pytest.fixture
def write(tmp_path: Path) -> Iterator[Write]:
    """Writes a module beside scenario.toml and returns its name."""
    (tmp_path / "scenario.toml").write_text(SCENARIO, encoding="utf-8")
    names = []

    def write(source: str) -> str:
        names.append(f"own_metric{next(_numbers)}")
        (tmp_path / f"{names[-1]}.py").write_text(
            "import ackclock as ac\n" + textwrap.dedent(source), encoding="utf-8"
        )
        return names[-1]

    yield write
    for name in names:
        sys.modules.pop(name, None)


def dumbbell(**options: Any) -> ac.Scenario:
    flows = [ac.flow("reno", name="a"), ac.flow("cubic", name="b")]
    return ac.dumbbell(
        rate="5Mbit/s", rtt="20ms", buffer="20 packets", flows=flows, duration="3s", **options
    )


def test_a_function_is_a_metric_by_its_name(fake_result: Make) -> None:
    @ac.metric(unit="packets")
    def all_sent(result: Result) -> float:
        """Packets that all flows sent."""
        return float(result.flows["sent_packets"].sum())

    figure = find_metric("all_sent")
    assert (figure.unit, figure.of, figure.definition, figure.needs) == (
        "packets",
        "run",
        "Packets that all flows sent.",
        (),
    )
    assert fake_result().metric("all_sent") == 2000.0
    assert all_sent(fake_result()) == 2000.0, "the function stays what it is"
    assert "all_sent" not in METRICS


def test_limits_are_those_that_a_metric_was_registered_with() -> None:
    @ac.metric(unit="1", limits=(-1.0, 1.0))
    def correlation(_: Result) -> float:
        """Some correlation."""
        return 0.5

    @ac.metric(unit="1")
    def anything(_: Result) -> float:
        """Some figure."""
        return 0.5

    assert correlation is not anything
    assert range_of(find_metric("correlation")) == (-1.0, 1.0)
    assert range_of(find_metric("anything")) == (-math.inf, math.inf)


def test_limits_are_a_smaller_and_a_larger_number() -> None:
    with pytest.raises(
        ValueError,
        match=r"metric 'upside_down': limits = \(1.0, 0.0\) are not a smaller and a larger number",
    ):

        @ac.metric(unit="1", limits=(1.0, 0.0))
        def upside_down(_: Result) -> float:
            """Some figure."""
            return 0.5


def test_figures_of_flows_are_put_together(fake_result: Make) -> None:
    result = fake_result(3)
    asked: list[str] = []

    @ac.metric("mine.mean", unit="1", of="flows", definition="Some figure.")
    def mean(_: Result, flow: str) -> float | None:
        asked.append(flow)
        return {"f.1": 1.0, "f.2": None, "f.3": 5.0}[flow]

    ac.metric("mine.sum", unit="1", of="flows", definition="Some figure.", over="sum")(mean)
    assert result.metric("mine.mean") == 3.0
    assert result.metric("mine.sum") == 6.0
    assert asked == ["f.1", "f.2", "f.3"] * 2
    assert result.metric("mine.mean@f.3") == 5.0
    assert result.metric("mine.mean@f.2") is None


def test_a_link_alone_is_the_bottleneck(fake_result: Make) -> None:
    @ac.metric(unit="1", of="links", definition="The length of a name.")
    def length(_: Result, link: str, *, times: float = 1.0) -> float:
        return times * len(link)

    assert fake_result().metric("length") == len("bottleneck")
    assert fake_result().metric("length(times=2)@access") == 2 * len("access")


def test_a_comparison_records_what_the_metric_needs_and_nothing_else() -> None:
    seen: list[tuple[bool, bool]] = []

    @ac.metric(unit="1", needs=["samples"], definition="Rows.")
    def rows(result: Result) -> float:
        seen.append((result.has_samples, result.has_packets))
        return float(result.samples.links.height)

    @ac.metric(unit="1", definition="Flows.")
    def flows(result: Result) -> float:
        seen.append((result.has_samples, result.has_packets))
        return 2.0

    @ac.metric(unit="1", needs=["packets"], definition="Packet events.")
    def events(result: Result) -> float:
        seen.append((result.has_samples, result.has_packets))
        return float((result.packets["where"] == "bottleneck").sum())

    asked = ac.compare(dumbbell(record={"samples": "100ms"}), metric="rows")
    assert asked.table()["mean"].to_list() == [2 * 31], "both directions, every 100 ms"
    assert ac.compare(dumbbell(), metric="flows").table()["mean"].to_list() == [2.0]
    assert (ac.compare(dumbbell(), metric="events").table()["mean"] > 1000).all()
    assert seen == [(True, False), (False, False), (False, True)]


def test_a_comparison_keeps_its_own_metric_and_those_of_summaries(tmp_path: Path) -> None:
    @ac.metric(unit="s", definition="A constant.", source="nobody")
    def constant(_: Result) -> float:
        return 0.25

    made = ac.compare(dumbbell(), cc=["reno", "cubic"], seeds=2, metric="constant")
    assert made.table()["mean"].to_list() == [0.25, 0.25]
    assert made.difference()["difference"].to_list() == [0.0]
    assert made.table("utilisation")["mean"].null_count() == 0
    with pytest.raises(
        ValueError, match="no response 'smoothness', only constant and what summaries hold"
    ):
        made.table("smoothness")
    made.write(tmp_path / "c")
    registry_of_metrics._own.clear()
    again = ac.open_sweep(tmp_path / "c")
    assert again.table().equals(made.table()), (
        "its values are enough where the function is not known"
    )
    figure = again.find().figure
    assert (figure.unit, figure.definition, figure.source) == ("s", "A constant.", "nobody")


def test_the_number_of_workers_changes_nothing() -> None:
    alone, parallel = (
        ac.compare(
            dumbbell(),
            cc=["reno", "cubic"],
            seeds=3,
            metric="rate_variation(timescale=200ms)",
            workers=workers,
        )
        for workers in (1, 4)
    )
    assert alone.to_dict() == parallel.to_dict()


def command(tmp_path: Path, metric: str) -> "subprocess.CompletedProcess[str]":
    arguments = [
        "compare",
        "scenario.toml",
        "--cc",
        "reno,cubic",
        "--metric",
        metric,
        "--json",
        "--quiet",
    ]
    return ackclock_command(*arguments, cwd=tmp_path)


def test_the_command_line_finds_it_beside_the_scenario(write: Write, tmp_path: Path) -> None:
    name = write("""
        @ac.metric(unit="s", needs=["samples"])
        def longest(result, *, at_least=0.0):
            "Largest smoothed RTT."
            return max(at_least, result.samples.flows["srtt"].max())
        """)
    done = command(tmp_path, f"python:{name}:longest(at_least=1h)")
    assert done.returncode == 0, done.stderr
    comparison = json.loads(done.stdout)
    assert comparison["responses"] == [
        {
            "name": "longest(at_least=1h)",
            "metric": f"python:{name}:longest(at_least=1h)",
            "unit": "s",
            "definition": "Largest smoothed RTT.",
            "source": "",
        }
    ]
    assert [row["mean"] for row in comparison["means"]] == [3600.0, 3600.0]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "return 1 / 0",
            "metric 'mine' ({file}, line 5) raised ZeroDivisionError: division by zero",
        ),
        (
            "return result.flows['nothing']",
            "metric 'mine' ({file}, line 5) raised ColumnNotFoundError: ",
        ),
        (
            "return float('nan')",
            "metric 'mine' ({file}, line 3) returned nan; allowed is a finite number, or None",
        ),
        (
            "return 'much'",
            "metric 'mine' ({file}, line 3) returned 'much'; allowed is a finite number, or None",
        ),
    ],
)
def test_a_fault_is_one_line_with_its_file_and_line(
    write: Write, tmp_path: Path, body: str, message: str
) -> None:
    name = write(f"""
        @ac.metric(unit="1", definition="Faulty.")
        def mine(result):
            {body}
        """)
    done = command(tmp_path, f"python:{name}:mine")
    assert done.returncode == 2
    assert message.format(file=f"{name}.py") in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("source", "metric", "message"),
    [
        (
            "def plain(result): return 1",
            "plain",
            '"plain" in "{name}" is no metric: write @ackclock.metric(unit=...) above it',
        ),
        (
            "@ac.metric(unit='1')\ndef mine(result): return 1",
            "mine",
            "metric 'mine' has no definition: give the function a docstring",
        ),
        (
            "@ac.metric(unit='1', definition='x')\ndef mine(result): return 1",
            "min",
            'there is no "min" in "{name}"; did you mean \'mine\'?',
        ),
        (
            "@ac.metric('goodput', unit='1', definition='x')\ndef mine(result): return 1",
            "mine",
            "there is a metric 'goodput' already",
        ),
        (
            "@ac.metric(unit='1', definition='x', needs=['sample'])\ndef mine(result): return 1",
            "mine",
            "did you mean 'samples'?",
        ),
        (
            "@ac.metric(unit='1', definition='x', of='flow')\ndef mine(result): return 1",
            "mine",
            "of = 'flow' is not one of flows, links",
        ),
        (
            "@ac.metric(unit='1', definition='x', of='flows')\ndef mine(result): return 1",
            "mine",
            "its function takes result, flow, and",
        ),
        (
            "@ac.metric(unit='1', definition='x')\ndef mine(result, *, limit): return 1",
            "mine",
            "needs a value for limit: mine(limit=...)",
        ),
        (
            "syntax error",
            "mine",
            "importing '{name}' raised SyntaxError: invalid syntax ({name}.py, line 2)",
        ),
    ],
)
def test_what_is_no_metric_is_said_before_anything_runs(
    write: Write, tmp_path: Path, source: str, metric: str, message: str
) -> None:
    name = write(source)
    done = command(tmp_path, f"python:{name}:{metric}")
    assert done.returncode == 2
    assert message.format(name=name) in done.stderr
    assert done.stderr.startswith("scenario.toml: compare.metric: "), done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert "registry.py" not in done.stderr, "the place is in the user's file"


def test_two_of_one_name_are_an_error_unless_one_is_the_other_anew() -> None:
    def define(value: float) -> None:
        @ac.metric("again", unit="1", definition="Some figure.")
        def again(_: Result) -> float:
            return value

    define(1.0)
    define(2.0)

    def other(_: Result) -> float:
        return 3.0

    with pytest.raises(
        ValueError, match=r"there is a metric 'again' already \(.*test_own\.py, line \d+\)"
    ):
        ac.metric("again", unit="1", definition="Some figure.")(other)
