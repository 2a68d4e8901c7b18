"""P4's own rules: do they tell what holds from what does not?"""

import math
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest

import ackclock as ac
from ackclock.studies.results import Results, Spot
from ackclock_papers.tcp_criteria import (
    STUDY,
    questions,
    rank,
    recovery,
    response,
    robust,
    stability,
    throughput,
    times,
)
from ackclock_papers.tcp_criteria.power import Power

SEEDS = range(1, 9)


class Found:
    """Stands for `Results`, with made-up values."""

    quick = False
    elsewhere: Mapping[str, Any] = MappingProxyType({})

    def limits(self, experiment: str, response: str) -> tuple[float, float]:  # noqa: ARG002
        return 0.0, math.inf

    def numbers(self, experiment: str, axis: str) -> dict[Any, float]:  # noqa: ARG002
        (spots,) = self._spots.values()
        return {point.labels[axis]: float(point.labels[axis]) for point in spots}

    def left_out(self, experiment: str, at: dict[str, Any]) -> list[str]:  # noqa: ARG002
        return []

    def __init__(self, spots: dict[str, list[Spot]]) -> None:
        self._spots = spots

    def spots(self, experiment: str, name: str, at: dict[str, Any] | None = None) -> list[Spot]:  # noqa: ARG002
        return [
            stand_in
            for stand_in in self._spots[name]
            if all(_is(stand_in.labels[key], value) for key, value in (at or {}).items())
        ]


def _is(label: Any, wanted: Any) -> bool:
    return label in wanted if isinstance(wanted, list) else label == wanted


def spot(labels: dict[str, Any], value: float, spread: float = 0.01) -> Spot:
    return Spot(labels, {seed: value * (1 + spread * (seed % 3 - 1)) for seed in SEEDS})


class RecoveredRun:
    """Stands for a recorded run whose window was back after so many seconds."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def metric(self, name: str) -> float:
        assert name == "recovery_time"
        return self._seconds


REPEATED = """
duration = "20s"
seed = 3
network = { kind = "dumbbell", bottleneck = { rate = "20Mbit/s", delay = "5ms", limit = "1bdp" } }

[[flows]]
name = "whole"
cc = "reno"
app = { kind = "repeated", size = "4MB", think = "200ms", files = 2 }

[[flows]]
name = "parts"
cc = "reno"
app.kind = "web"
app.main = "100 bytes"
app.objects = 8
app.embedded = "500kB"
app.parsing = "0s"
app.reading = "20s"
app.parallel = 8
"""


def test_eight_parts_are_one_file_of_the_score(tmp_path: Path) -> None:
    (tmp_path / "repeated.toml").write_text(REPEATED)
    run = ac.run(tmp_path / "repeated.toml")
    transfers = run.transfers.with_columns(run.transfers["kind"].cast(str))
    assert transfers.filter(transfers["kind"] == "object")["finish_time"].is_not_null().sum() == 9
    assert run.metric("python:ackclock_papers.tcp_criteria.whole:files") == 3.0
    short = ac.run(ac.load(tmp_path / "repeated.toml").replace({"duration": "2s"}))
    assert short.metric("python:ackclock_papers.tcp_criteria.whole:files") == 0.0


@pytest.mark.parametrize(("power", "kind"), [(-0.5, "holds"), (-1.0, "does not hold")])
def test_a_power_is_told(power: float, kind: str) -> None:
    results: Any = Found(
        {"window.mean": [spot({"cc": "reno", "loss": p}, p**power) for p in (1e-4, 3e-4, 1e-3)]}
    )
    assert (
        Power("response", "window.mean", "loss", -0.5, 0.05, {"cc": "reno"}).judge(results).kind
        == kind
    )


@pytest.mark.parametrize(("factor", "kind"), [(1.05, "holds"), (1.3, "does not hold")])
def test_a_window_is_held_against_its_formula(factor: float, kind: str) -> None:
    losses = (1e-4, 1e-3, 1e-2)
    results: Any = Found(
        {
            "window.mean": [
                spot({"cc": "scalable", "loss": p}, factor * response.FORMULAS["scalable"](p))
                for p in losses
            ]
        }
    )
    verdict = response.follows("scalable", 0.15).judge(results)
    assert (verdict.kind, len(verdict.evidence)) == (kind, 2), (
        "where the law is Reno's it is not held"
    )


@pytest.mark.parametrize(("factor", "kind"), [(1.05, "holds"), (1.5, "does not hold")])
def test_a_recovery_is_held_against_table_1(factor: float, kind: str) -> None:
    runs = {
        name: RecoveredRun(factor * recovery.PRINTED[rate][1])
        for name, rate in (("reno, 1 Mbit/s", 1e6), ("reno, 100 Mbit/s", 100e6))
    }
    runs |= {
        f"scalable, {rate}bit/s": RecoveredRun(2.684 * factor**power)
        for rate, power in (("10 M", 0), ("100 M", 1), ("1 G", 1))
    }
    results: Any = Results({}, runs={"one-loss": runs})
    assert recovery.classic.judge(results).kind == kind
    assert recovery.same.judge(results).kind == kind


@pytest.mark.parametrize(("factor", "kind"), [(1.0, "holds"), (1.5, "does not hold")])
def test_a_row_is_held_against_its_formula(factor: float, kind: str) -> None:
    spots = [
        spot({"law": row.label}, factor * times.FORMULAS["doubling"](row)) for row in times.ROWS
    ]
    results: Any = Found({"doubling_time": spots})
    assert (
        times.by_row("steps", "doubling_time", "doubling", formula=True).judge(results).kind == kind
    )


@pytest.mark.parametrize(
    ("swing", "stable", "unstable"),
    [(0.2, "holds", "does not hold"), (1.9, "does not hold", "holds")],
)
def test_a_queue_that_swings_is_unstable(swing: float, stable: str, unstable: str) -> None:
    at = [{"cc": "reno", "rtt": 20, "rate": 36}, {"cc": "reno", "rtt": 300, "rate": 36}]
    results: Any = Found(
        {
            "queue_packets.mean": [spot(labels, 100.0, 0.0) for labels in at],
            "queue_packets.p5": [spot(labels, 50.0, 0.0) for labels in at],
            "queue_packets.p95": [spot(labels, 50.0 + 100 * swing, 0.0) for labels in at],
        }
    )
    assert (stability.STABLE.judge(results).kind, stability.UNSTABLE.judge(results).kind) == (
        stable,
        unstable,
    )
    assert stability.seen(stability.settings(results)) == ["steady" if swing < 1 else "swings"] * 2


@pytest.mark.parametrize(("swing", "word"), [(0.2, "steady"), (1.9, "swings")])
def test_a_control_without_a_model_is_told_from_its_runs(swing: float, word: str) -> None:
    at = [{"cc": "bbr", "rtt": 20, "rate": 36}]
    values = {"mean": 100.0, "p5": 50.0, "p95": 50.0 + 100 * swing}
    results: Any = Found(
        {
            f"queue_packets.{name}": [spot(labels, value, 0.0) for labels in at]
            for name, value in values.items()
        }
    )
    assert stability.without_model("bbr").judge(results).figures[word] == 1
    assert stability.without_model("cubic").judge(results).kind == "cannot be judged"
    assert (
        stability.STABLE.judge(results).kind
        == stability.UNSTABLE.judge(results).kind
        == "cannot be judged"
    )


def test_windows_below_two_packets_have_no_margin() -> None:
    assert stability.model("8 x reno", 20, 12) is None
    assert stability.model("reno", 20, 12) is not None


def test_red_of_the_model_is_red_of_the_runs() -> None:
    import tomllib

    with (STUDY.folder / "stability.toml").open("rb") as file:
        scenario = tomllib.load(file)
    red = scenario["network"]["bottleneck"]["qdisc"]
    run = SimpleNamespace(
        low=float(red["min_threshold"].split()[0]), high=float(red["max_threshold"].split()[0])
    )
    assert {
        "min_threshold": run.low,
        "max_threshold": run.high,
        "max_p": red["max_p"],
        "weight": red["weight"],
    } == stability.RED
    assert scenario["flows"][0]["count"] == stability.FLOWS
    axis = scenario["sweep"]["axes"][0]
    controls = dict(
        zip(axis["labels"], zip(axis["flows.cc"], axis["flows.parallel"], strict=True), strict=True)
    )
    assert controls == {**stability.LAWS, **{cc: (cc, 1) for cc in stability.LAWLESS}}


@pytest.mark.parametrize(("power", "square"), [(2.0, "holds"), (1.5, "does not hold")])
def test_recovery_over_the_round_trip_time_is_told(power: float, square: str) -> None:
    runs = {
        recovery.name_of("reno", rate, rtt): RecoveredRun(rate * rtt**power)
        for rate, rtts in recovery.RTTS_S.items()
        for rtt in rtts
    }
    results: Any = Results({}, runs={"one-loss": runs})
    assert recovery.SQUARE.judge(results).kind == square
    assert recovery.SCALABLE_LINEAR.judge(results).kind == "cannot be judged"
    assert set(runs) <= set(recovery.VARIANTS)


@pytest.mark.parametrize(("order", "kind"), [(1, "holds"), (-1, "does not hold")])
def test_the_rank_of_curves_is_held_against_the_rank_of_shares(order: int, kind: str) -> None:
    height = {cc: 100.0 * (at + 1) for at, cc in enumerate(rank.LAWFUL.controls)}
    results: Any = Found(
        {
            "window.mean": [spot({"cc": cc, "loss": 1e-4}, value) for cc, value in height.items()],
            "other_goodput": [
                spot({"beside": cc}, 1e9 + order * value) for cc, value in height.items()
            ],
        }
    )
    assert rank.LAWFUL.judge(results).kind == kind


@pytest.mark.parametrize(("in_step", "kind"), [(0.5, "holds"), (2.0, "does not hold")])
def test_flows_below_vinnicombes_bound_are_not_in_step(in_step: float, kind: str) -> None:
    labels = [
        {"law": row.label, "buffer": buffer, "rtt": 100}
        for row in times.ROWS
        for buffer in (10, 160)
    ]
    results: Any = Found({"in_step": [spot(label, in_step) for label in labels]})
    verdict = robust.ONE_LINK.judge(results)
    below = [
        label
        for label in labels
        if robust.gain_of_one(str(label["law"]), int(str(label["buffer"]))) < math.pi / 2
    ]
    assert (verdict.kind, len(verdict.evidence)) == (kind, len(below))
    assert 0 < len(below) < len(labels)


def test_windows_of_three_links_in_a_row_are_at_rest() -> None:
    long, short = robust.windows_of_lot()
    assert 1 / long == pytest.approx(sum(1 / share for share in short))
    for window, rtt in zip(short, robust.RTTS_S, strict=True):
        assert robust.FLOWS * (window / rtt + long / robust.LONG_RTT_S) == pytest.approx(
            robust.RATE
        )
    assert robust.gain_of_lot("0.5, 0.04", 40) > robust.gain_of_lot("0.5, 0.04", 10)


IN_STEP = """
duration = "30s"
warmup = "10s"
network = { kind = "dumbbell", bottleneck = { rate = "40Mbit/s", delay = "10ms", limit = "1bdp" } }
record = { samples = "20ms" }
profile = "rfc"

[[flows]]
name = "flow"
count = 4
cc = "reno"
"""


def test_flows_that_do_the_same_are_in_step_by_the_root_of_their_number(tmp_path: Path) -> None:
    from ackclock_papers.tcp_criteria import window

    (tmp_path / "one.toml").write_text(IN_STEP.replace("count = 4", "count = 1"))
    (tmp_path / "four.toml").write_text(IN_STEP)
    runs, four = (ac.run(tmp_path / f"{name}.toml") for name in ("one", "four"))
    assert window.in_step(runs) == pytest.approx(1.0)
    apart = window.in_step(four)
    assert apart is not None
    assert 0 < apart <= 2.0 + 1e-9


@pytest.mark.parametrize("tick", [0.0, 0.1])
def test_vegas_by_an_exact_clock_is_the_built_in_one(tick: float) -> None:
    own = f"python:ackclock_papers.tcp_criteria.ticks:TickedVegas(tick={tick})"
    runs = [
        ac.run(
            ac.dumbbell(
                rate="20Mbit/s", rtt="60ms", buffer="2bdp", duration="20s", flows=[{"cc": cc}]
            )
        )
        for cc in ("vegas(linux=false)", own)
    ]
    built_in, ticked = (run.metric("queue_delay.mean") for run in runs)
    assert built_in is not None
    assert ticked is not None
    if tick:
        assert ticked > 1.5 * built_in, "a clock that does not tell a queue from none lets it grow"
    else:
        assert runs[0].flows["acked_bytes"].to_list() == runs[1].flows["acked_bytes"].to_list()
        assert ticked == built_in


def test_data_in_flight_is_the_smaller_of_both_windows() -> None:
    scenario = ac.load(STUDY.folder / "receive-window.toml").replace(
        {**throughput.VARIANTS["rwnd of 16 packets"], "duration": "15s"}
    )
    results: Any = Results({}, runs={"receive-window": {"rwnd of 16 packets": ac.run(scenario)}})
    assert throughput.in_flight.judge(results).kind == "holds"
    results = Results({}, runs={"receive-window": {"rwnd of 64 packets": ac.run(scenario)}})
    assert throughput.in_flight.judge(results).kind == "does not hold"


def test_what_quick_runs_leave_out_is_said_once() -> None:
    class Partly(Found):
        def left_out(self, experiment: str, at: dict[str, Any]) -> list[str]:  # noqa: ARG002
            return [] if at["cc"] in ("reno", "scalable") else [f"cc = {at['cc']}"]

    spots = {"files": [spot({"cc": "reno"}, 10.0), spot({"cc": "scalable"}, 20.0)]}
    results: Any = Partly(spots)
    verdict = questions._on(
        {"": "repeated"}, "files", "cc", "reno", questions.OTHERS, "more"
    ).judge(results)
    assert verdict.kind == "answered"
    assert verdict.sentence.count("leave out") == 1
    assert all(name in verdict.sentence.lower() for name in questions.OTHERS)


def test_no_reason_quotes_a_run() -> None:
    """Reasons are shown on quick runs' pages too: a digit in one is the paper's or experiment's."""
    import re

    allowed = {"P4-B1": {"4,000", "4", "50", "83"}}
    for statement in STUDY.statements:
        text = re.sub(r"P4-[\w-]+|T½|T2|√2|π/2", "", statement.why or "")
        assert set(re.findall(r"\d[\d,.]*\d|\d", text)) <= allowed.get(statement.id, set()), (
            statement.id
        )


def test_every_system_formula_figure_and_table_of_the_paper_has_a_row() -> None:
    kinds = [item.kind for item in STUDY.items]
    assert {kind: kinds.count(kind) for kind in ("system", "figure", "table", "experiment")} == {
        "system": 6,
        "figure": 1,
        "table": 2,
        "experiment": 4,
    }
