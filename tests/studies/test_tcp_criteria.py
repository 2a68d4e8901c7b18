"""P4's own rules: do they tell what holds from what does not?"""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ackclock as ac
from ackclock.studies.results import Spot
from ackclock.studies.tcp_criteria import recovery, response, stability, times

SEEDS = range(1, 9)


class Found:
    """Stands for `Results`, with made-up values."""

    quick = False

    def __init__(self, spots: dict[str, list[Spot]]) -> None:
        self._spots = spots

    def spots(self, experiment: str, name: str, at: dict[str, Any] | None = None) -> list[Spot]:  # noqa: ARG002
        return [one for one in self._spots[name] if all(one.labels[key] == value for key, value in (at or {}).items())]


def spot(labels: dict[str, Any], value: float, spread: float = 0.01) -> Spot:
    return Spot(labels, {seed: value * (1 + spread * (seed % 3 - 1)) for seed in SEEDS})


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
app = { kind = "web", main = "100 bytes", objects = 8, embedded = "500kB", parsing = "0s", reading = "20s", parallel = 8 }
"""


def test_eight_parts_are_one_file_of_the_score(tmp_path: Path) -> None:
    (tmp_path / "repeated.toml").write_text(REPEATED)
    run = ac.run(tmp_path / "repeated.toml")
    transfers = run.transfers.with_columns(run.transfers["kind"].cast(str))
    assert transfers.filter(transfers["kind"] == "object")["finish_time"].is_not_null().sum() == 9
    assert run.metric("python:ackclock.studies.tcp_criteria.whole:files") == 3.0
    short = ac.run(ac.load(tmp_path / "repeated.toml").replace({"duration": "2s"}))
    assert short.metric("python:ackclock.studies.tcp_criteria.whole:files") == 0.0


@pytest.mark.parametrize(("power", "kind"), [(-0.5, "holds"), (-1.0, "does not hold")])
def test_the_slope_of_a_response_curve_is_told(power: float, kind: str) -> None:
    found: Any = Found({"window.mean": [spot({"cc": "reno", "loss": p}, p**power) for p in (1e-4, 3e-4, 1e-3)]})
    assert response.slope("reno", -0.5, 0.05).judge(found).kind == kind


@pytest.mark.parametrize(("factor", "kind"), [(1.05, "holds"), (1.3, "does not hold")])
def test_a_window_is_held_against_its_formula(factor: float, kind: str) -> None:
    losses = (1e-4, 1e-3, 1e-2)
    found: Any = Found({"window.mean": [spot({"cc": "scalable", "loss": p}, factor * response.FORMULAS["scalable"](p)) for p in losses]})
    verdict = response.follows("scalable", 0.15).judge(found)
    assert (verdict.kind, len(verdict.evidence)) == (kind, 2), "where the law is Reno's it is not held"


@pytest.mark.parametrize(("factor", "kind"), [(1.05, "holds"), (1.5, "does not hold")])
def test_a_recovery_is_held_against_table_1(factor: float, kind: str) -> None:
    class Run:
        def __init__(self, seconds: float) -> None:
            self._seconds = seconds

        def metric(self, name: str) -> float:
            assert name == "recovery_time"
            return self._seconds

    runs = {name: Run(factor * recovery.PRINTED[rate][1]) for name, rate in (("reno, 1 Mbit/s", 1e6), ("reno, 100 Mbit/s", 100e6))}
    runs |= {f"scalable, {rate}bit/s": Run(2.684 * factor**power) for rate, power in (("10 M", 0), ("100 M", 1), ("1 G", 1))}
    found: Any = SimpleNamespace(runs={"one-loss": runs})
    assert recovery.CLASSIC.judge(found).kind == kind
    assert recovery.SAME.judge(found).kind == kind


@pytest.mark.parametrize(("factor", "kind"), [(1.0, "holds"), (1.5, "does not hold")])
def test_a_row_is_held_against_its_formula(factor: float, kind: str) -> None:
    spots = [spot({"law": row.label}, factor * times.FORMULAS["doubling"](row)) for row in times.ROWS]
    found: Any = Found({"doubling_time": spots})
    assert times.ByRow("steps", "doubling_time", "doubling", 0.1, formula=True, words="T2").judge(found).kind == kind


@pytest.mark.parametrize(("swing", "stable", "unstable"), [(0.2, "holds", "does not hold"), (1.9, "does not hold", "holds")])
def test_a_queue_that_swings_is_unstable(swing: float, stable: str, unstable: str) -> None:
    at = [{"cc": "reno", "rtt": 20, "rate": 36}, {"cc": "reno", "rtt": 300, "rate": 36}]
    found: Any = Found(
        {
            "queue_packets.mean": [spot(one, 100.0, 0.0) for one in at],
            "queue_packets.p5": [spot(one, 50.0, 0.0) for one in at],
            "queue_packets.p95": [spot(one, 50.0 + 100 * swing, 0.0) for one in at],
        }
    )
    assert (stability.STABLE.judge(found).kind, stability.UNSTABLE.judge(found).kind) == (stable, unstable)
    assert stability.seen(stability.settings(found)) == ["steady" if swing < 1 else "swings"] * 2


@pytest.mark.parametrize(("swing", "word"), [(0.2, "steady"), (1.9, "swings")])
def test_a_control_without_a_model_is_told_from_its_runs(swing: float, word: str) -> None:
    at = [{"cc": "bbr", "rtt": 20, "rate": 36}]
    values = {"mean": 100.0, "p5": 50.0, "p95": 50.0 + 100 * swing}
    found: Any = Found({f"queue_packets.{name}": [spot(one, value, 0.0) for one in at] for name, value in values.items()})
    assert stability.without_model("bbr").judge(found).figures[word] == 1
    assert stability.without_model("cubic").judge(found).kind == "cannot be judged"
    assert stability.STABLE.judge(found).kind == stability.UNSTABLE.judge(found).kind == "cannot be judged"


def test_windows_below_two_packets_have_no_margin() -> None:
    assert stability.model("8 x reno", 20, 12) is None
    assert stability.model("reno", 20, 12) is not None


def test_red_of_the_model_is_red_of_the_runs() -> None:
    import tomllib

    from ackclock.studies.tcp_criteria import STUDY

    with (STUDY.folder / "stability.toml").open("rb") as file:
        scenario = tomllib.load(file)
    red = scenario["network"]["bottleneck"]["qdisc"]
    run = SimpleNamespace(low=float(red["min_threshold"].split()[0]), high=float(red["max_threshold"].split()[0]))
    assert {"min_threshold": run.low, "max_threshold": run.high, "max_p": red["max_p"], "weight": red["weight"]} == stability.RED
    assert scenario["flows"][0]["count"] == stability.FLOWS
    axis = scenario["sweep"]["axes"][0]
    controls = dict(zip(axis["labels"], zip(axis["flows.cc"], axis["flows.parallel"], strict=True), strict=True))
    assert controls == {**stability.LAWS, **{cc: (cc, 1) for cc in stability.LAWLESS}}
