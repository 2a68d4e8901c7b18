"""Cardwell et al.: printed numbers, and what runs show of BBR's states."""

from typing import Any

import numpy as np
import pytest

from ackclock.results import Result
from ackclock.scenario import load
from ackclock.studies.outside import read_outside
from ackclock.studies.results import Results
from ackclock.sweeps.sweeping import design_of
from ackclock_papers.congestion_based import STUDY, rules
from recorded import flow, run


def test_thirty_million_is_cubics_law_and_not_the_inverse_square() -> None:
    assert rules.inverse_square.judge(Results({})).kind == "does not hold"
    assert rules.cubic_loss.judge(Results({})).kind == "holds"
    assert rules.receive_buffer.judge(Results({})).kind == "holds"


def learning(rate: float, when: float, *, until: float = 2.0) -> Result:
    """A flow that knows nothing of its bandwidth before a time, and all of it from then on."""
    time = np.arange(0, until, 0.001)
    known = np.where(time >= when, rules.PAYLOAD * rate, 0.0)
    return run(flow(time), internals={"flow": {"time": time, "bw": known}})


@pytest.mark.parametrize(
    ("rounds", "kind"), [(5.0, "holds"), (6.0, "holds"), (7.0, "does not hold")]
)
def test_startup_has_log2_of_the_path_and_one(rounds: float, kind: str) -> None:
    # log2 of 33.3 is 5.06; the first data leave after a round trip.
    recorded = learning(10e6, 0.04 * (1 + rounds))
    assert rules.round_trips_to_find(recorded, "10 Mbit/s") == pytest.approx(rounds, abs=0.05)
    assert (
        rules.bandwidth_found.judge(Results({}, {"startup-rates": {"10 Mbit/s": recorded}})).kind
        == kind
    )


@pytest.mark.parametrize(
    ("after", "kind"),
    [(0.5, "holds"), (1.59, "holds"), (1.7, "does not hold"), (9.0, "does not hold")],
)
def test_five_cycles_are_the_limit(after: float, kind: str) -> None:
    recorded = learning(20e6, 20.0 + after, until=25.0)
    assert rules.doubled.judge(Results({}, {"steps": {"run": recorded}})).kind == kind


@pytest.mark.parametrize(
    ("bbr", "cubic", "kind"),
    [(0.0, 60.0, "holds"), (5.0, 60.0, "in part"), (5.0, 10.0, "does not hold")],
)
def test_a_drained_queue_is_empty_once(bbr: float, cubic: float, kind: str) -> None:
    time = np.arange(0, 8, 0.01)
    dips = {
        name: np.where(np.abs(time - 4) < 0.05, low, low + 50)
        for name, low in (("BBR", bbr), ("CUBIC", cubic))
    }
    runs = {name: run(flow(time), queue=(time, values)) for name, values in dips.items()}
    assert rules.drained.judge(Results({}, {"first-seconds": runs})).kind == kind


@pytest.mark.parametrize(("probing", "kind"), [(0.98, "holds"), (0.9, "does not hold")])
def test_shares_of_states(probing: float, kind: str) -> None:
    time = np.arange(0, 60, 0.001)
    mode = np.where((time % 1.0) < probing, rules.PROBE_BW, rules.PROBE_RTT)
    recorded = run(flow(time), internals={"flow": {"time": time, "mode": mode}})
    assert rules.STATES.judge(Results({}, {"steady": {"run": recorded}})).kind == kind


@pytest.mark.parametrize(("products", "kind"), [(1.0, "holds"), (1.5, "does not hold")])
def test_the_median_of_what_is_out(products: float, kind: str) -> None:
    time = np.arange(0, 60, 0.01)
    recorded = run(flow(time, inflight=np.full(len(time), 1000 * products * rules.BDP)))
    assert rules.inflight.judge(Results({}, {"steady": {"run": recorded}})).kind == kind


def test_the_limit_is_what_is_not_lost() -> None:
    assert rules.limit(0.5) == pytest.approx(0.5 * 96.53e6, rel=1e-3)


ROWS = {
    outside.experiment: read_outside(STUDY.folder / outside.file).rows for outside in STUDY.outside
}
"""Figures of the kernel's runs, by experiment or recording."""


def on_linux(experiment: str, response: str, **labels: Any) -> list[float]:
    """A response of the kernel's runs at one setting."""
    return [
        row[response]
        for row in ROWS[experiment]
        if all(row[name] == label for name, label in labels.items())
    ]


@pytest.mark.parametrize(
    ("experiment", "settings", "seeds", "responses"),
    [
        ("loss", 13, 3, {"goodput"}),
        ("settled", 8, 2, {"utilisation", "mean queue", "queue p5", "longest queue"}),
        ("startup", 8, 3, {"longest queue"}),
        ("sharing", 2, 3, {"jain_index", "utilisation", "queue_delay.mean"}),
    ],
)
def test_the_kernel_has_run_settings_of_the_experiments(
    experiment: str, settings: int, seeds: int, responses: set[str]
) -> None:
    axes = {
        axis.name: axis.labels
        for axis in design_of(load(STUDY.folder / f"{experiment}.toml"), checked=False).axes
    }
    assert all(row.keys() == {*axes, "seed", *responses} for row in ROWS[experiment])
    cells = [tuple(row[name] for name in axes) for row in ROWS[experiment]]
    assert all(
        label in labels
        for setting in cells
        for label, labels in zip(setting, axes.values(), strict=True)
    )
    assert len(set(cells)) == settings
    assert all(cells.count(setting) == seeds for setting in cells)


@pytest.mark.parametrize(
    ("recording", "variants", "responses"),
    [
        ("startup-rates", {"10 Mbit/s", "100 Mbit/s"}, {"round trips"}),
        ("first-seconds", {"BBR", "CUBIC"}, {"shortest queue"}),
        ("steady", {"run"}, {"median out", "share in PROBE_BW"}),
        ("steps", {"run"}, {"time to find"}),
    ],
)
def test_the_kernel_has_run_the_recordings(
    recording: str, variants: set[str], responses: set[str]
) -> None:
    assert {row["run"] for row in ROWS[recording]} == variants
    assert all(row.keys() == {"run", "seed", *responses} for row in ROWS[recording])
    assert len(ROWS[recording]) == 3 * len(variants)


def test_the_kernel_makes_the_same_queue_in_startup() -> None:
    # ackclock has 70 in every run; a sender that is late for a packet's time makes it one more or
    # less.
    assert on_linux("startup", "longest queue", cc="BBR", room="8 BDP") == pytest.approx(
        [70.0] * 3, abs=1.0
    )


def test_the_kernel_spends_as_long_in_probe_rtt() -> None:
    # Ten seconds until the smallest RTT is old, then 200 ms and a round trip: 0.24 s of 10.24 s.
    assert on_linux("steady", "share in PROBE_BW") == pytest.approx([0.976] * 3, abs=0.004)


Told = tuple[str, str, float]
"""A run's variant, the name of a figure, and its value."""


@pytest.mark.parametrize(
    ("criterion", "rows", "kind"),
    [
        (
            rules.bandwidth_found,
            {
                "startup-rates": [
                    ("10 Mbit/s", "round trips", 5.0),
                    ("10 Mbit/s", "round trips", 6.0),
                ]
            },
            "holds",
        ),
        (
            rules.bandwidth_found,
            {
                "startup-rates": [
                    ("10 Mbit/s", "round trips", 5.0),
                    ("10 Mbit/s", "round trips", 7.0),
                ]
            },
            "cannot be judged",
        ),
        (
            rules.drained,
            {"first-seconds": [("BBR", "shortest queue", 2.0), ("CUBIC", "shortest queue", 50.0)]},
            "in part",
        ),
        (
            rules.doubled,
            {"steps": [("run", "time to find", 1.7), ("run", "time to find", 1.8)]},
            "does not hold",
        ),
        (
            rules.STATES,
            {"steady": [("run", "share in PROBE_BW", 0.98), ("run", "share in PROBE_BW", 0.9)]},
            "in part",
        ),
        (rules.inflight, {"steady": [("run", "median out", 1.05)]}, "holds"),
    ],
)
def test_runs_of_another_program_stand_in_the_place_of_ours(
    criterion: Any, rows: dict[str, list[tuple[str, str, float]]], kind: str
) -> None:
    elsewhere = {
        recording: [
            {"run": run, "seed": seed, name: value} for seed, (run, name, value) in enumerate(row)
        ]
        for recording, row in rows.items()
    }
    assert criterion.judge(Results({}, elsewhere=elsewhere)).kind == kind


def test_another_programs_rows_without_the_figure_say_nothing() -> None:
    verdict = rules.bandwidth_found.judge(
        Results({}, elsewhere={"startup-rates": [{"run": "10 Mbit/s", "seed": 1, "other": 1.0}]})
    )
    assert not verdict.evidence
