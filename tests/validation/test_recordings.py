"""Does what is kept of a run say what the run's own counters say?"""

from __future__ import annotations

import dataclasses
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

import ackclock as ac
from ackclock.atomic_io import WriteError
from ackclock.metrics.reduction import recorded
from ackclock.validation import storing
from ackclock.validation.figures import figures_of
from ackclock.validation.storing import load, repetitions, replace, save
from killing import KilledError, kill_at_the_second_move

if TYPE_CHECKING:
    from ackclock.metrics.recorded_run import RecordedRun
    from ackclock.results import Result

MSS, PACKET = 1448, 1500


@cache
def run(**changes: object) -> Result:
    scenario = ac.dumbbell(
        rate="10Mbit/s",
        rtt="20ms",
        buffer="20 packets",
        duration="8s",
        warmup="3s",
        # Losses at multiples of the packet time, far from the samples.
        transport={"host_time": "0s"},
        flows=[ac.flow("reno", name="one"), ac.flow("bbr", name="two", start="0.2s")],
        record={"samples": "10ms", "packets": ["bottleneck"]},
    )
    return ac.run(scenario.replace(dict(changes)))


# Mean of a histogram in steps of 0.1 %: it is that exact or better. The queue is sampled: 500
# samples of a queue that varies by a third of itself within an RTT, 5 %.
def test_delays_and_queue_are_those_of_the_link() -> None:
    link = run().links.row(0, named=True)
    measured = {str(key): value for key, value in figures_of(recorded(run())).items()}
    assert measured["rtt_mean"] == pytest.approx(
        0.020 + link["queue_delay_mean"] + 8 * PACKET / 10e6, rel=1e-3
    )
    assert measured["rtt_p95"] == pytest.approx(
        0.020 + link["queue_delay_p95"] + 8 * PACKET / 10e6, rel=0.01
    )
    assert measured["queue"] == pytest.approx(link["queue_packets_mean"], rel=0.05)


# Counters begin again at the end of the warm-up, records do not. A sample is every 10 ms.
def test_flows_are_those_of_the_counters() -> None:
    measured = {str(key): value for key, value in figures_of(recorded(run())).items()}
    for cc, row in zip(("reno", "bbr"), run().flows.iter_rows(named=True), strict=True):
        assert measured[f"retransmitted@{cc}"] == pytest.approx(row["retransmitted_packets"], abs=2)
    whole = run(warmup="0s").flows["retransmitted_packets"]
    # What is sent again between the last sample and the warm-up's end is not seen.
    assert measured["retransmitted_in_all@reno"] == pytest.approx(whole[0], abs=1)
    assert measured["retransmitted_in_all@bbr"] == pytest.approx(whole[1], abs=1)
    assert measured["retransmitted_in_all@reno"] > measured["retransmitted@reno"]
    # What is acknowledged follows what is delivered: a window of 40 packets of 4166 at either end.
    assert measured["goodput"] == pytest.approx(run().flows["goodput"].sum(), rel=0.01)
    assert measured["drops"] == run().links["dropped_packets"][0]
    assert "startup_end@bbr" in measured


@pytest.mark.parametrize(
    "wire",
    [{"qdisc": "codel"}, {"loss": {"kind": "bernoulli", "p": 0.02}}],
    ids=["at-the-head", "on-the-wire"],
)
def test_what_a_queue_or_a_wire_drops_later_is_dropped_once(wire: dict[str, object]) -> None:
    changes = {f"network.bottleneck.{key}": value for key, value in wire.items()}
    result = run_with(changes)
    measured = {str(key): value for key, value in figures_of(recorded(result)).items()}
    assert result.links["dropped_packets"][0] > 0
    assert measured["drops"] == result.links["dropped_packets"][0]


def run_with(changes: dict[str, object]) -> Result:
    scenario = ac.dumbbell(
        rate="10Mbit/s",
        rtt="20ms",
        buffer="200 packets",
        duration="5s",
        flows=[ac.flow("reno")],
        record={"samples": "10ms", "packets": ["bottleneck"]},
    )
    return ac.run(scenario.replace(changes))


def test_what_is_stored_is_measured_the_same(tmp_path: Path) -> None:
    kept = dataclasses.replace(recorded(run()), conditions={"kernel": "none"})
    save(kept, tmp_path, 1)
    back = load(tmp_path, 1)
    assert dict(back.conditions) == {"kernel": "none"}
    before, after = figures_of(kept), figures_of(back)
    assert before.keys() == after.keys()
    # Times are stored in us, windows in 32 bits.
    assert list(after.values()) == pytest.approx(list(before.values()), rel=1e-4)


def test_a_repetition_is_small(tmp_path: Path) -> None:
    save(recorded(run()), tmp_path, 1)
    # 8 s; those of the longest scenarios, 35 s with four flows, stay below 250 kB.
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 60_000


def mixed() -> Result:
    """A datagram stream, a session of several connections, and two flows that start together."""
    scenario = ac.dumbbell(
        rate="10Mbit/s",
        rtt="20ms",
        buffer="20 packets",
        duration="8s",
        flows=[
            ac.flow("reno", name="one", start="1s"),
            ac.flow("bbr", name="two", start="1s"),
            ac.flow(
                "cubic",
                name="web",
                app={"kind": "web", "persistent": True, "reading": "exponential(200ms)"},
                start="0.1s",
            ),
            {"name": "stream", "app": {"kind": "cbr", "rate": "1Mbit/s"}},
        ],
        record={"samples": "10ms", "packets": ["bottleneck"]},
    )
    return ac.run(scenario)


def test_streams_are_left_out_and_sessions_are_one_flow(tmp_path: Path) -> None:
    result = mixed()
    kept = recorded(result)
    assert [flow.name for flow in kept.flows] == ["one", "two", "web"]
    session = kept.flows[2]
    pages = result.transfers.filter(result.transfers["kind"] == "page")
    done = pages.filter(pages["finish_time"].is_not_null())
    assert done.height > 3
    assert session.transfers.sum() == pytest.approx(
        (done["finish_time"] - done["start_time"]).sum()
    )
    whole = result.flows.filter(result.flows["name"] == "web")
    # Acknowledged follows what is delivered by a round trip.
    assert session.acked[-1] == pytest.approx(whole["received_bytes"][0] * MSS / PACKET, rel=0.1)
    assert session.retransmitted[-1] == pytest.approx(whole["retransmitted_packets"][0], abs=2)
    save(kept, tmp_path, 1)
    back = load(tmp_path, 1)
    assert list(figures_of(back).values()) == pytest.approx(
        list(figures_of(kept).values()), rel=1e-4
    )
    assert back.order == kept.order


def test_who_was_first_is_kept() -> None:
    orders = {recorded(ac.run(together().replace({"seed": seed}))).order for seed in range(1, 9)}
    assert orders == {("a", "b"), ("b", "a")}
    assert recorded(run()).order == ()


def together() -> ac.Scenario:
    return ac.dumbbell(
        rate="10Mbit/s",
        rtt="20ms",
        buffer="20 packets",
        duration="1s",
        flows=[ac.flow("reno", name="a"), ac.flow("bbr", name="b")],
        record={"samples": "10ms", "packets": ["bottleneck"]},
    )


def test_recordings_of_earlier_versions_are_read() -> None:
    folder = Path(__file__).parents[2] / "validation" / "4bbr-20mbit-60ms-2bdp-late" / "linux"
    assert "time_us" in pl.read_parquet(folder / "1.flows.parquet").columns
    old = load(folder, 1)
    # A sample every 10 ms of four flows that start every 2 s, and counters that only rise.
    assert [len(flow.time) for flow in old.flows] == pytest.approx([3500, 3300, 3100, 2900], abs=3)
    assert all((np.diff(flow.acked) >= 0).all() for flow in old.flows)
    assert old.order == ()


def test_new_repetitions_take_the_place_of_all_old_ones(tmp_path: Path) -> None:
    kept = recorded(run())
    replace(tmp_path, [kept, kept, kept])
    assert repetitions(tmp_path) == [1, 2, 3]
    replace(tmp_path, [kept])
    assert repetitions(tmp_path) == [1]
    assert len(list(tmp_path.iterdir())) == 3


def test_recordings_that_cannot_be_replaced_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = recorded(run())
    replace(tmp_path, [kept, kept])
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(storing, "write_text", full_disk)
        with pytest.raises(WriteError, match="No space"):
            replace(tmp_path, [kept])
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    with monkeypatch.context() as patch:
        kill_at_the_second_move(patch)
        with pytest.raises(KilledError):
            replace(tmp_path, [kept])
    # Who looks at them next finds them whole.
    assert repetitions(tmp_path) == [1]
    assert len(list(tmp_path.iterdir())) == 3


def test_recordings_are_small() -> None:
    recordings = list((Path(__file__).parents[2] / "validation").glob("*/linux/*"))
    by_run: dict[str, int] = {}
    for path in recordings:
        name = f"{path.parent.parent.name}/{path.name.split('.')[0]}"
        by_run[name] = by_run.get(name, 0) + path.stat().st_size
    assert sum(by_run.values()) < 15_000_000
    # 100 s of two flows: the longest.
    assert max(by_run.values()) < 330_000


def test_bins_hold_each_packet_once() -> None:
    kept: RecordedRun = recorded(run())
    # Counted are those that arrive at the link in 5 s and get through it: a round trip less, 1 %.
    assert kept.path.counts.sum() == pytest.approx(
        run().flows["received_bytes"].sum() / PACKET, rel=0.01
    )
    inside = np.isfinite(kept.path.rtt)
    assert (kept.path.rtt_min[inside] <= kept.path.rtt[inside]).all()
    assert (kept.path.rtt[inside] <= kept.path.rtt_max[inside]).all()
