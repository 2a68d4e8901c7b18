"""P3 in ns-2: recorded runs have the study's settings, and agree where chance has no part."""

import tomllib
from functools import cache
from typing import Any

import polars as pl
import pytest

import ackclock as ac
from ackclock.studies.outside import read_outside
from ackclock_papers.small_buffers import STUDY, curves, measures
from ackclock_papers.small_buffers.readings import AXIS, LITERAL, READINGS, SAWTOOTH
from scripts import script

EXPERIMENTS = ("buffers", "red")


def _table(experiment: str) -> dict[str, Any]:
    file = next(sweep.file for sweep in STUDY.experiments if sweep.name == experiment)
    table: dict[str, Any] = tomllib.loads((STUDY.folder / file).read_text(encoding="utf-8"))[
        "sweep"
    ]
    return table


def _axes(experiment: str) -> dict[str, list[Any]]:
    """Labels by axis."""
    return {
        axis["name"]: axis.get("labels")
        or next(value for key, value in axis.items() if key != "name")
        for axis in _table(experiment)["axes"]
    }


@cache
def _rows(experiment: str) -> tuple[dict[str, Any], ...]:
    other = next(outside for outside in STUDY.outside if outside.experiment == experiment)
    return read_outside(STUDY.folder / other.file).rows


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_ns2_has_run_every_setting_with_every_seed(experiment: str) -> None:
    axes = _axes(experiment)
    rows = _rows(experiment)
    settings = {tuple(row[name] for name in axes) for row in rows}
    assert [{setting[at] for setting in settings} for at in range(len(axes))] == [
        set(labels) for labels in axes.values()
    ]
    seeds = {row["seed"] for row in rows}
    count = 1
    for labels in axes.values():
        count *= len(labels)
    assert len(settings) == count
    assert (
        len({(*(row[name] for name in axes), row["seed"]) for row in rows})
        == len(rows)
        == count * len(seeds)
    )
    assert seeds == set(range(1, script("tests/theory/ns2/p3/record.py").SEEDS[experiment] + 1))


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_rows_have_responses_of_the_experiment(experiment: str) -> None:
    known = {response["name"] for response in _table(experiment)["responses"]}
    for row in _rows(experiment):
        assert set(row) - set(_axes(experiment)) - {"seed"} <= known


def test_every_response_that_a_reading_looks_at_is_there() -> None:
    for reading in READINGS:
        rows = [row for row in _rows("buffers") if row[AXIS] == reading.settings.get(AXIS, LITERAL)]
        assert all(set(reading.responses.values()) <= set(row) for row in rows), reading.name


# RED drops nothing at random under these, so both runs are the same but for the order of events at
# one time.
@pytest.mark.parametrize(
    ("reading", "buffer"), [(LITERAL, 5), (LITERAL, 30), ("full film", 50), (SAWTOOTH, 50)]
)
def test_without_chance_it_is_the_same_run(reading: str, buffer: int) -> None:
    (row,) = (
        line
        for line in _rows("buffers")
        if (line[AXIS], line["buffer"], line["seed"]) == (reading, buffer, 1)
    )
    keys = {**curves._keys(reading), "network.bottleneck.limit": f"{buffer} packets", "seed": 1}
    run = ac.run(ac.load(STUDY.folder / "curve.toml").replace(keys))
    of_tcp = run.flows.filter(pl.col("name").str.starts_with("tcp"))
    # 0.5 %: where windows have no limit the access queues end slow start, in ns-2 a packet sooner
    # or later.
    assert row["network delay"] == pytest.approx(measures.network_delay(run), rel=5e-3)
    assert row["throughput of TCP"] == pytest.approx(of_tcp["throughput"].sum(), rel=5e-3)
    # 1 %: of some 30 packets that each connection then loses.
    assert row["loss of TCP"] == pytest.approx(
        float(of_tcp["lost_packets"].sum()) / float(of_tcp["sent_packets"].sum()), rel=1e-2
    )
    # The film meets TCP only at a link that is never full: each packet takes as long, but for
    # ns-2's microseconds.
    assert row["jitter"] == pytest.approx(
        measures.delay_variation(run, "film"), abs=2e-6 if reading != SAWTOOTH else 1e-3
    )
    assert row["loss of the film"] == pytest.approx(run.metric("stream_loss_rate"), abs=1e-4)


def test_a_films_frames_have_the_headers_of_their_packets_and_go_on_when_it_begins_anew() -> None:
    frames_of = script("tests/theory/ns2/p3/record.py").frames_of
    app = {
        "frames": "0I2500 40000P1200-1 40000B1-1-2",
        "loop_ps": 120_000_000_000,
        "packet_bytes": 1200,
    }
    frames = frames_of({"app": app, "header_bytes": 40})
    assert frames[:4] == [(0, 2620), (40_000, 1240), (40_000, 41), (40_000, 2620)]
    assert len(frames) == 9
