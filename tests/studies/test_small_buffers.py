"""P3: its claims told true and false, how the smallest buffer is read from runs, and the film that the study brings with it."""

import math
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ackclock.studies.results import Results
from ackclock.studies.running import designs
from ackclock.studies.small_buffers import STUDY
from ackclock.studies.small_buffers.laws import BDP, LAWS, WANTED, crossing
from ackclock.studies.small_buffers.readings import READINGS
from ackclock.sweeps.design import Design
from ackclock.sweeps.result import SweepResult
from ackclock.sweeps.running import Row
from made_up_studies import noise

Figure = Callable[[str, str, Mapping[str, Any], int], float]
"""Of experiment, response, setting and replication."""

AS_PRINTED = {
    "delay of the film": (0.1, 0.4, 0.3, 0.3, 0.3),
    "longest delay of the film": (0.2, 0.6, 0.35, 0.35, 0.35),
    "jitter of the film": (0.005, 0.006, 0.007, 0.008, 0.01),
    "throughput of TCP": (12e6, 17e6, 17.5e6, 17.98e6, 17.98e6),
    "loss of TCP": (2e-3, 1e-3, 2.8e-4, 2.8e-4, 2.8e-4),
    "loss of the film": (1e-2, 1e-3, 5e-5, 0.0, 0.0),
    "queue_delay.p99": (1e-3, 2e-3, 4e-3, 6e-3, 9e-3),
}
"""By response, with buffers of 5, 10, 20, 30 and 50 packets."""
THE_CONTRARY = {
    "delay of the film": (0.2, 0.15, 0.16, 0.2, 0.2),
    "longest delay of the film": (0.6, 0.6, 0.6, 0.6, 0.6),
    "jitter of the film": (0.03, 0.02, 0.02, 0.02, 0.02),
    "throughput of TCP": (30e6, 30e6, 30e6, 20e6, 25e6),
    "loss of TCP": (1e-3, 1e-3, 2e-3, 4e-3, 4e-3),
    "loss of the film": (1e-3, 1e-3, 1e-3, 1e-2, 2e-2),
    "queue_delay.p99": (9e-3, 9e-3, 9e-3, 9e-3, 1e-3),
}
ON_THE_PAPERS_RUNS = [claim.id for claim in STUDY.claims if "rules" not in claim.criterion.experiments]


@cache
def _designs() -> dict[str, Design]:
    # Few seeds are enough where nothing is random; the rules want all buffers.
    return {**designs(STUDY, quick=True), "rules": designs(STUDY, quick=False)["rules"]}


def results(figure: Figure, *experiments: str) -> Results:
    """The study's experiments with made-up runs."""
    sweeps = {}
    for name in experiments:
        of = _designs()[name]
        runs = {}
        for setting in of.settings:
            labels = dict(zip((axis.name for axis in of.axes), setting.labels, strict=True))
            for replication in range(of.replications):
                figures: dict[str, float | None] = {each.name: figure(name, each.name, labels, replication) for each in of.responses}
                key = f"{setting.index:032x}{replication:032x}"
                runs[setting.index, replication] = Row(key, of.seed(replication), "", figures)
        sweeps[name] = SweepResult.of(of, runs)
    return Results(sweeps)


def paper(world: Mapping[str, tuple[float, ...]], *, short: Mapping[str, tuple[float, ...]] | None = None) -> Results:
    """The paper's experiment; `short`: what it is with a round-trip time of 80 ms."""

    def figure(experiment: str, response: str, labels: Mapping[str, Any], replication: int) -> float:
        rows = short if short is not None and experiment == "rtt" else world
        value = dict(zip((5, 10, 20, 30, 50), rows.get(response, (0.0,) * 5), strict=True))[labels["buffer"]]
        return value * (1 + noise(replication, 1e-3))

    return results(figure, "buffers", "rtt")


def needing(buffer: Callable[[float, int], float]) -> Results:
    """Utilisation is a line over the logarithm of the buffer and 99 % at buffer(connections, replication)."""

    def figure(experiment: str, response: str, labels: Mapping[str, Any], replication: int) -> float:
        assert experiment == "rules"
        if response != "utilisation":
            return 0.0
        return WANTED + 0.01 * math.log2(labels["buffer"] / buffer(labels["connections"], replication))

    return results(figure, "rules")


def verdict(name: str, found: Results) -> Any:
    (one,) = (each for each in STUDY.statements if each.id == name)
    return one.criterion.judge(found)


@pytest.fixture(scope="module")
def as_printed() -> Results:
    return paper(AS_PRINTED)


@pytest.fixture(scope="module")
def the_contrary() -> Results:
    return paper(THE_CONTRARY)


@pytest.mark.parametrize("name", ON_THE_PAPERS_RUNS)
def test_a_claim_holds_where_all_is_as_printed(name: str, as_printed: Results) -> None:
    assert verdict(name, as_printed).kind == "holds"


@pytest.mark.parametrize("name", ON_THE_PAPERS_RUNS)
def test_a_claim_does_not_hold_where_all_is_contrary(name: str, the_contrary: Results) -> None:
    assert verdict(name, the_contrary).kind == "does not hold"


def test_readings_are_judged_one_by_one(as_printed: Results) -> None:
    same = verdict("P3-Q9", as_printed)
    assert f"Holds whichever is taken: {', '.join(ON_THE_PAPERS_RUNS)}." in same.sentence
    assert "changes no verdict" in same.sentence
    slow = {**AS_PRINTED, "throughput of TCP": (5e6, 17e6, 17.5e6, 19e6, 19e6)}
    other = verdict("P3-Q9", paper(AS_PRINTED, short=slow))
    assert "P3-F4a (holds, then does not hold, film spread)" in other.sentence
    assert [other.figures["P3-F4a"][reading.name] for reading in READINGS] == ["holds"] * 4 + ["does not hold"] * 2


@pytest.mark.parametrize(("factor", "kind"), [(0.9, "holds"), (1.1, "does not hold")])
@pytest.mark.parametrize(("name", "law"), [("P3-R1", "RTT·C"), ("P3-R2", "RTT·C/√N"), ("P3-R3", "O(log W)")])
def test_a_rule_suffices_where_no_larger_buffer_is_needed(name: str, law: str, factor: float, kind: str) -> None:
    found = needing(lambda connections, replication: factor * LAWS[law](connections) * (1 + noise(replication, 0.01)))
    assert verdict(name, found).kind == kind


def test_a_buffer_beyond_those_that_were_run_speaks_against_a_rule_only_if_every_seed_needs_it() -> None:
    assert verdict("P3-R2", needing(lambda *_: 2000.0)).kind == "does not hold"
    assert verdict("P3-R2", needing(lambda _, replication: 2000.0 if replication % 2 else 8.0)).kind == "cannot be judged"
    assert verdict("P3-R2", needing(lambda *_: 1.0)).kind == "holds"


def test_the_exponent_of_the_smallest_buffer_is_told() -> None:
    found = verdict("P3-Q7", needing(lambda connections, replication: LAWS["RTT·C/√N"](connections) * (1 + noise(replication, 0.01))))
    assert found.figures["by ACKs"]["exponent"] == pytest.approx(-0.5, abs=0.01)
    assert "as N to the power of −0.5." in found.sentence


def test_frames_are_held_against_packets_where_packets_are_lost() -> None:
    def figure(experiment: str, response: str, labels: Mapping[str, Any], replication: int) -> float:  # noqa: ARG001
        lost = 0.01 if labels["queue"] == "PIE" else 0.0
        return {"loss of the film": lost, "decodable frames": 1 - 20 * lost}.get(response, 0.0)

    found = verdict("P3-Q4", results(figure, "queues"))
    assert found.sentence == "Where 1 % of the packets are lost, 20 % of the frames cannot be decoded (3 seeds)."
    assert {each.where.split(",")[0] for each in found.evidence} == {"PIE"}


def test_the_smallest_buffer_is_between_two_that_were_run_on_a_logarithmic_scale() -> None:
    assert crossing([1, 10, 100], [0.9, 0.98, 1.0]) == pytest.approx(10 * math.sqrt(10))


def test_a_buffer_that_suffices_by_chance_below_one_that_does_not_is_not_the_smallest() -> None:
    assert crossing([1, 10, 100, 1000], [0.995, 0.9, 0.98, 1.0]) == pytest.approx(100 * math.sqrt(10))


def test_the_ends_of_what_was_run() -> None:
    assert crossing([2, 4], [0.991, 0.999]) == 2
    assert crossing([2, 4], [0.995, 0.98]) == math.inf


def test_the_rules_agree_for_one_connection_as_their_papers_have_it() -> None:
    assert LAWS["RTT·C"](1) == LAWS["RTT·C/√N"](1) == pytest.approx(BDP)
    assert LAWS["RTT·C/√N"](100) == pytest.approx(BDP / 10)


def test_the_study_has_the_film_that_the_scenarios_have() -> None:
    shipped = Path(__file__).parents[2] / "scenarios" / "video" / "clip.trace"
    assert (STUDY.folder / "clip.trace").read_bytes() == shipped.read_bytes()


def test_a_shorter_round_trip_is_all_that_the_third_reading_changes() -> None:
    usual, short = (tomllib.loads((STUDY.folder / f"{name}.toml").read_text(encoding="utf-8")) for name in ("buffers", "rtt"))
    assert {key for key in usual if usual[key] != short[key]} == {"name", "description", "network", "sweep"}
    link, other = usual["network"]["bottleneck"], short["network"]["bottleneck"]
    assert {key for key in link if link[key] != other[key]} == {"rate", "delay"}
    assert other["rate"] in usual["sweep"]["axes"][1]["network.bottleneck.rate"]
