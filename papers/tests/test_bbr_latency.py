"""P2's own criteria: spreads and edges of queues, times until shares are fair, collapses."""

import math
import tomllib
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from ackclock.metrics import find_metric
from ackclock.studies.outside import read_outside
from ackclock.studies.results import Results, Spot
from ackclock_papers.bbr_latency import STUDY, ns3, operating, rules

SEEDS = range(1, 9)


class Found:
    """Stands for `Results`, with made-up values by response and algorithm."""

    quick = False

    def __init__(self, **values: dict[str, float | None]) -> None:
        self._values = {name.replace("_", " "): of for name, of in values.items()}
        self.sweeps = {"e": SimpleNamespace(runs=pl.DataFrame({"seed": list(SEEDS)}))}

    def spots(self, experiment: str, name: str, at: dict[str, Any] | None = None) -> list[Spot]:
        assert experiment in {"e", "ns3"}
        stand_ins = [spot({"cc": cc}, value) for cc, value in self._values[name].items()]
        return [
            stand_in
            for stand_in in stand_ins
            if all(stand_in.labels[key] == value for key, value in (at or {}).items())
        ]

    def limits(self, *_: object) -> tuple[float, float]:
        return 0.0, math.inf

    def left_out(self, *_: object) -> list[str]:
        return []


def spot(labels: dict[str, Any], value: float | None, spread: float = 0.01) -> Spot:
    """None: no seed has a value."""
    return Spot(
        labels,
        {} if value is None else {seed: value * (1 + spread * (seed % 3 - 1)) for seed in SEEDS},
    )


@pytest.mark.parametrize(("upper", "kind"), [(30.0, "holds"), (60.0, "does not hold")])
def test_a_spread_is_from_the_lower_to_the_upper_percentile(upper: float, kind: str) -> None:
    # Of the base it is 40 packets. The upper percentile alone, 90 against 60, would say the same of
    # both.
    results: Any = Found(
        queue_p5={"new": 30.0, "old": 50.0}, queue_p95={"new": 30.0 + upper, "old": 90.0}
    )
    verdict = rules.SpreadChange("e", "queue p95", "cc", "new", "old", highest=0.0).judge(results)
    assert verdict.kind == kind
    assert verdict.evidence[0].value == pytest.approx(upper / 40 - 1, abs=0.05)


@pytest.mark.parametrize(
    ("queue", "kind"), [(11.0, "holds"), (40.0, "does not hold"), (0.0, "does not hold")]
)
def test_an_edge_is_a_round_trip_time_and_not_a_queue(queue: float, kind: str) -> None:
    # The base's lower edge is 60 ms and 11 packets of 1.2 ms.
    results: Any = Found(queue_p50={"new": queue, "old": 100.0}, queue_p5={"new": 0.0, "old": 10.0})
    verdict = rules.EdgeChange(
        "e", "queue p50", "cc", "new", "old", lowest=-0.1, highest=0.1
    ).judge(results)
    assert verdict.kind == kind
    assert verdict.evidence[0].value == pytest.approx(
        (60 + 1.2 * (queue + 1)) / (60 + 1.2 * 11) - 1, abs=0.005
    )


@pytest.mark.parametrize(("queue", "kind"), [(4.0, "holds"), (20.0, "does not hold")])
def test_a_percentile_of_the_queue_is_told_as_a_round_trip_time(queue: float, kind: str) -> None:
    # 60 ms, a packet's 1.2 ms, and as much for each that waits: 66 and 85 ms.
    results: Any = Found(queue_p5={"new": queue})
    verdict = rules.RoundTrip("e", "queue p5", 0.062, 0.070, {"cc": "new"}).judge(results)
    assert verdict.kind == kind
    assert verdict.evidence[0].value == pytest.approx(0.060 + 0.0012 * (1 + queue), abs=2e-4)


@pytest.mark.parametrize(("patched", "kind"), [(50.0, "holds"), (30.0, "does not hold")])
def test_a_further_share_is_of_the_base_and_not_of_what_is_left(patched: float, kind: str) -> None:
    # From 100 to 60 and on to 50: a further 10 % of the base, 17 % of the 60 left.
    results: Any = Found(delay={"bbr": 100.0, "drain": 60.0, "patched": patched})
    verdict = rules.FurtherChange(
        "e", "delay", "cc", "patched", "bbr", lowest=-0.15, highest=-0.05, before="drain"
    ).judge(results)
    assert verdict.kind == kind
    assert verdict.evidence[0].value == pytest.approx((patched - 60) / 100, abs=0.01)


def test_a_base_without_runs_of_its_partner_says_nothing() -> None:
    # Another simulator has BBR, and nothing of the improved one.
    results: Any = Found(queue_p5={"old": 50.0}, queue_p95={"old": 90.0})
    assert (
        not rules.SpreadChange("e", "queue p95", "cc", "new", "old", highest=0.0)
        .judge(results)
        .evidence
    )


def judged_five(by: str, times: dict[str, list[float | None]]) -> str:
    """Judge a claim on five flows by times until fair (s; None: never), the same by both."""
    runs = pl.DataFrame({"seed": range(1, 9)})
    rows = [
        {"cc": cc, "seed": seed, "time to fair shares": value, "time to roughly fair shares": value}
        for cc, values in times.items()
        for seed, value in enumerate(values, 1)
    ]
    axis = SimpleNamespace(name="cc", labels=tuple(times), numbers=None)
    names = ("time to fair shares", "time to roughly fair shares")
    responses = [
        SimpleNamespace(name=name, unit="s", figure=find_metric("convergence_time"))
        for name in names
    ]
    sweep: Any = SimpleNamespace(
        runs=runs, design=SimpleNamespace(axes=(axis,), responses=responses)
    )
    (claim,) = (entry for entry in STUDY.claims if entry.id == by)
    return claim.criterion.judge(Results({"five": sweep}, elsewhere={"five": rows})).kind


@pytest.mark.parametrize(
    ("improved", "kind"),
    [
        ([3.0, 3.1, 2.9, 3.2] * 2, "holds"),
        ([9.0, 9.5] * 4, "does not hold"),
        ([None] * 8, "does not hold"),
    ],
)
def test_about_three_seconds_are_no_more_than_half_as_many_again(
    improved: list[float | None], kind: str
) -> None:
    assert judged_five("P2-F11a", {"lowlat": improved}) == kind


def test_flows_that_never_share_fairly_count_as_the_whole_minute() -> None:
    assert (
        judged_five("P2-F11b", {"patched": [None] * 8, "bbr": [42.0, 40.0, 44.0, None] * 2})
        == "holds"
    )
    assert (
        judged_five("P2-F11b", {"patched": [5.0, 5.1] * 4, "bbr": [4.0, 4.1] * 4})
        == "does not hold"
    )


@pytest.mark.parametrize(
    ("bbr", "kind"), [([39.0, 40.0, 38.0, 41.0] * 2, "holds"), ([6.0, 6.1] * 4, "does not hold")]
)
def test_thirteen_times_as_long(bbr: list[float | None], kind: str) -> None:
    assert (
        judged_five("P2-F11e", {"lowlat": [3.0, 3.1, 2.9, 3.0] * 2, "patched": bbr, "bbr": bbr})
        == kind
    )


def test_the_lower_edge_may_be_passed() -> None:
    (claim,) = (entry for entry in STUDY.claims if entry.id == "P2-F11c")
    for _, part in claim.criterion.parts:  # type: ignore[attr-defined]
        assert part.lowest == -math.inf


def labels_of(experiment: str, axis: str) -> list[str]:
    (file,) = (sweep.file for sweep in STUDY.experiments if sweep.name == experiment)
    axes = tomllib.loads((STUDY.folder / file).read_text(encoding="utf-8"))["sweep"]["axes"]
    return [
        label
        for dimension in axes
        if dimension.get("name", "cc") == axis
        for label in dimension.get("labels", ())
    ]


def test_every_reading_has_runs_wherever_the_improved_bbr_has() -> None:
    with_it = [sweep.name for sweep in STUDY.experiments if "lowlat" in labels_of(sweep.name, "cc")]
    assert {"one", "two", "leave", "five", "short-path", "long-path", "rise", "acks"} <= set(
        with_it
    )
    for reading in STUDY.readings[1:]:
        other = reading.settings["cc"]["lowlat"]
        assert all(other in labels_of(name, "cc") for name in with_it), reading.name
        for axis, swapped in reading.settings.items():
            experiment = {"variant": "settings"}.get(axis, "long-path")
            wanted = [label for name, label in swapped.items() if name != "lowlat"]
            assert set(wanted) <= set(labels_of(experiment, axis)), reading.name


def test_the_papers_own_release_collapses_and_a_mended_one_does_not() -> None:
    for release, collapses in (("ns-3.35", True), ("ns-3.44", False)):
        rows = read_outside(STUDY.folder / f"{release}-short-path.json").rows
        short = [row["goodput"] for row in rows if row["rtt_ms"] <= 8]
        assert len(short) == 20
        assert all((goodput < ns3.COLLAPSED) == collapses for goodput in short)
        # Above 22.2 ms PROBE_RTT is too short to expire the filter.
        assert all(row["goodput"] > 9e6 for row in rows if row["rtt_ms"] == 40)


@pytest.mark.parametrize(
    ("window", "rtt_ms", "mbit_s"), [(12, 61.24, 2.27), (100, 120.0, 9.653), (400, 361.24, 9.653)]
)
def test_the_two_lines_meet_at_a_and_end_at_b(window: float, rtt_ms: float, mbit_s: float) -> None:
    assert 1e3 * operating.round_trip(window) == pytest.approx(rtt_ms, abs=0.01)
    assert 1e-6 * operating.rate(window) == pytest.approx(mbit_s, abs=0.005)


def test_collapses_are_counted_by_inputs_and_round_trip_time() -> None:
    half = dict.fromkeys(range(1, 5), 0.2e6) | dict.fromkeys(range(5, 9), 9e6)
    spots = [
        spot({"rtt_ms": 4, "inputs": "Linux"}, 9.6e6),
        spot({"rtt_ms": 4, "inputs": "old"}, 0.2e6),
        spot({"rtt_ms": 8, "inputs": "Linux"}, 9.6e6),
        Spot({"rtt_ms": 8, "inputs": "old"}, half),
    ]
    results: Any = SimpleNamespace(spots=lambda *_: spots)
    verdict = ns3.collapses.judge(results)
    assert verdict.figures["old"]["collapsed"] == {4: 8, 8: 4}
    assert (
        verdict.sentence
        == "of 8 runs each these collapse: old 8 at 4 ms, 4 at 8 ms; none with Linux."
    )


def test_the_collapse_is_the_same_for_the_papers_bbr_and_in_its_simulator() -> None:
    claims = {claim.id: claim for claim in STUDY.claims}
    ends = {claims[name].criterion.highest for name in ("P2-F7", "P2-F12a", "P2-F7b")}  # type: ignore[attr-defined]
    assert ends == {ns3.COLLAPSED}
