"""P4's own rules: do they tell what holds from what does not?"""

from types import SimpleNamespace
from typing import Any

import pytest

from ackclock.studies.results import Spot
from ackclock.studies.tcp_criteria import bench, response, stability, times

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


def test_parts_of_a_file_count_as_what_they_are_of_it() -> None:
    found: Any = Found({"files": [spot({"cc": "reno"}, 10.0), spot({"cc": bench.STRIPED}, 80.0), spot({"cc": "bbr"}, 10.0)]})
    for cc in (bench.STRIPED, "bbr"):
        (one,) = bench.ScoreEffect("repeated", "files", "cc", cc, "reno").weigh(found)
        assert one.value == pytest.approx(0.0)


@pytest.mark.parametrize(("power", "kind"), [(-0.5, "holds"), (-1.0, "does not hold")])
def test_the_slope_of_a_response_curve_is_told(power: float, kind: str) -> None:
    found: Any = Found({"window.mean": [spot({"cc": "reno", "loss": p}, p**power) for p in (1e-4, 3e-4, 1e-3)]})
    assert response.slope("reno", -0.5, 0.05).judge(found).kind == kind


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


def test_red_of_the_model_is_red_of_the_runs() -> None:
    import tomllib

    from ackclock.studies.tcp_criteria import STUDY

    with (STUDY.folder / "stability.toml").open("rb") as file:
        scenario = tomllib.load(file)
    red = scenario["network"]["bottleneck"]["qdisc"]
    run = SimpleNamespace(low=float(red["min_threshold"].split()[0]), high=float(red["max_threshold"].split()[0]))
    assert {"min_threshold": run.low, "max_threshold": run.high, "max_p": red["max_p"], "weight": red["weight"]} == stability.RED
    assert scenario["flows"][0]["count"] == stability.FLOWS
    assert list(stability.LAWS.values()) == scenario["sweep"]["axes"][0]["flows.cc"]
