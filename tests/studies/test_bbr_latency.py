"""P2's own criteria: spreads and edges of queues, times until shares are fair, and what counts as a collapse."""

import math
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from ackclock.studies.bbr_latency import STUDY, ns3, rules
from ackclock.studies.results import Spot

SEEDS = range(1, 9)


class Found:
    """Stands for `Results`, with made-up values by response and algorithm."""

    quick = False

    def __init__(self, **values: dict[str, float | None]) -> None:
        self._values = {name.replace("_", " "): of for name, of in values.items()}
        self.sweeps = {"e": SimpleNamespace(runs=pl.DataFrame({"seed": list(SEEDS)}))}

    def spots(self, experiment: str, name: str, at: dict[str, Any] | None = None) -> list[Spot]:
        assert experiment in {"e", "ns3"}
        found = [spot({"cc": cc}, value) for cc, value in self._values[name].items()]
        return [one for one in found if all(one.labels[key] == value for key, value in (at or {}).items())]

    def limits(self, *_: object) -> tuple[float, float]:
        return 0.0, math.inf

    def left_out(self, *_: object) -> list[str]:
        return []


def spot(labels: dict[str, Any], value: float | None, spread: float = 0.01) -> Spot:
    """None: no seed has a value."""
    return Spot(labels, {} if value is None else {seed: value * (1 + spread * (seed % 3 - 1)) for seed in SEEDS})


@pytest.mark.parametrize(("upper", "kind"), [(30.0, "holds"), (60.0, "does not hold")])
def test_a_spread_is_from_the_lower_to_the_upper_percentile(upper: float, kind: str) -> None:
    # Of the base it is 40 packets. The upper percentile alone, 90 against 60, would say the same of both.
    found: Any = Found(queue_p5={"new": 30.0, "old": 50.0}, queue_p95={"new": 30.0 + upper, "old": 90.0})
    verdict = rules.SpreadChange("e", "queue p95", "cc", "new", "old", highest=0.0).judge(found)
    assert verdict.kind == kind
    assert verdict.evidence[0].value == pytest.approx(upper / 40 - 1, abs=0.05)


@pytest.mark.parametrize(("queue", "kind"), [(11.0, "holds"), (40.0, "does not hold"), (0.0, "does not hold")])
def test_an_edge_is_a_round_trip_time_and_not_a_queue(queue: float, kind: str) -> None:
    # The base's lower edge is 60 ms and 11 packets of 1.2 ms.
    found: Any = Found(queue_p50={"new": queue, "old": 100.0}, queue_p5={"new": 0.0, "old": 10.0})
    verdict = rules.EdgeChange("e", "queue p50", "cc", "new", "old", lowest=-0.1, highest=0.1).judge(found)
    assert verdict.kind == kind
    assert verdict.evidence[0].value == pytest.approx((60 + 1.2 * (queue + 1)) / (60 + 1.2 * 11) - 1, abs=0.005)


@pytest.mark.parametrize(("time", "kind"), [(3.0, "holds"), (9.0, "does not hold"), (None, "does not hold")])
def test_a_time_is_held_against_its_range(time: float | None, kind: str) -> None:
    found: Any = Found(time={"new": time})
    assert rules.FairTime("e", "time", highest=4.5, at={"cc": "new"}).judge(found).kind == kind


def test_seeds_that_never_share_fairly_count_as_the_whole_run_and_are_told() -> None:
    found: Any = Found(time={"new": None})
    verdict = rules.FairTime("e", "time", lowest=21.0, highest=63.0, at={"cc": "new"}).judge(found)
    assert verdict.kind == "holds"
    assert verdict.figures["never"] == len(SEEDS)
    assert "Never in 8 of 8 seeds" in verdict.sentence


@pytest.mark.parametrize(("new", "old", "kind"), [(3.0, 42.0, "holds"), (30.0, 42.0, "does not hold"), (3.0, None, "holds")])
def test_a_fifth_of_the_time(new: float, old: float | None, kind: str) -> None:
    found: Any = Found(time={"new": new, "old": old})
    assert rules.FairTimeChange("e", "time", "cc", "new", "old", highest=-0.8).judge(found).kind == kind


@pytest.mark.parametrize(("new", "said"), [(3.0, "clearly less"), (None, "clearly more")])
def test_a_question_about_times_counts_what_never_was(new: float | None, said: str) -> None:
    found: Any = Found(time={"new": new, "old": 20.0})
    assert said in rules.FairTimeEffect("e", "time", "cc", "new", "old").judge(found).sentence


def test_collapses_are_counted_by_inputs_and_round_trip_time() -> None:
    half = dict.fromkeys(range(1, 5), 0.2e6) | dict.fromkeys(range(5, 9), 9e6)
    spots = [
        spot({"rtt_ms": 4, "inputs": "Linux"}, 9.6e6),
        spot({"rtt_ms": 4, "inputs": "old"}, 0.2e6),
        spot({"rtt_ms": 8, "inputs": "Linux"}, 9.6e6),
        Spot({"rtt_ms": 8, "inputs": "old"}, half),
    ]
    found: Any = SimpleNamespace(spots=lambda *_: spots)
    verdict = ns3.COLLAPSES.judge(found)
    assert verdict.figures["old"]["collapsed"] == {4: 8, 8: 4}
    assert verdict.sentence == "of 8 runs each these collapse: old 8 at 4 ms, 4 at 8 ms; none with Linux."


def test_the_collapse_is_the_same_for_the_papers_bbr_and_in_its_simulator() -> None:
    claims = {each.id: each for each in STUDY.claims}
    ends = {claims[name].criterion.highest for name in ("P2-F7", "P2-F12a", "P2-F7b")}  # type: ignore[attr-defined]
    assert ends == {ns3.COLLAPSED}
