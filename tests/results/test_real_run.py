"""Results of real runs: what the columns say must agree with each other and with physics."""

from pathlib import Path

import polars as pl
import pytest

import ackclock as ac
from ackclock.results import Result
from ackclock.results.summary import check

RATE = 10e6
END = 20.0
PACKET_BITS = 1500 * 8


def _run(*flows: ac.Flow, **changes: object) -> Result:
    scenario = ac.dumbbell(
        rate="10Mbit/s", rtt="60ms", buffer="1bdp", flows=list(flows), duration="20s"
    )
    return ac.run(scenario.replace(changes))


@pytest.fixture(scope="module")
def two() -> Result:
    return _run(ac.flow("reno"), ac.flow("cubic", start="5s"))


def test_the_summary_is_as_documented(two: Result) -> None:
    check(two.summary())


def test_goodput_is_less_than_throughput_and_both_than_the_link(two: Result) -> None:
    goodput, throughput = two.value("goodput"), two.value("throughput")
    assert goodput is not None
    assert throughput is not None
    # 1448 bytes of payload in 1500 on the wire; what is in flight at the end and retransmitted is
    # in neither or only the second.
    assert 0.9 * RATE < goodput < throughput * 1448 / 1500 * (1 + 1e-3)
    assert throughput < RATE


def test_what_a_link_delivered_took_the_time_that_it_was_busy(two: Result) -> None:
    link = two.links.row(0, named=True)
    # One packet may be on the wire at the end, and those in flight have been transmitted and not
    # delivered: 30 ms of the link.
    assert link["busy_time"] * RATE == pytest.approx(8 * link["delivered_bytes"], abs=0.035 * RATE)


def test_packets_are_conserved(two: Result) -> None:
    flows, link = two.flows, two.links.row(0, named=True)
    assert flows["lost_packets"].sum() == link["dropped_packets"]
    in_queue_and_flight = (
        link["arrived_packets"] - link["delivered_packets"] - link["dropped_packets"]
    )
    # A queue of 1 BDP (50 packets), one in transmission, and half a round trip (25 packets) on the
    # wire.
    assert 0 <= in_queue_and_flight <= 77


def test_the_last_sample_is_the_counter(two: Result) -> None:
    last = (
        two.samples.flows.group_by("flow", maintain_order=True)
        .last()
        .sort(pl.col("flow").cast(pl.String))
    )
    counters = two.flows.sort("name")
    assert (last["delivered"] - counters["goodput_bytes"]).abs().max() == 0
    assert (last["lost"] - counters["lost_packets"]).abs().max() == 0


def test_rtt_is_the_path_and_the_queue(two: Result) -> None:
    summary = two.summary()
    for flow in summary["flows"]:
        assert flow["rtt"]["min"] is not None
        assert flow["rtt"]["p50"] is not None
        # Propagation and at least its own transmission; a full queue adds 60 ms, delayed
        # acknowledgments 40 ms.
        assert 0.060 < flow["rtt"]["min"] < 0.075
        assert 0.060 < flow["rtt"]["p50"] < 0.165


def test_a_run_that_its_bottleneck_limits_has_no_warnings(two: Result) -> None:
    assert two.warnings == []


def test_two_runs_leave_the_same_bytes_but_for_the_timing(tmp_path: Path) -> None:
    for name in "ab":
        _run(ac.flow("reno"), ac.flow("cos+reno", ssthresh="1bdp")).write(
            tmp_path / name, plots=False
        )
    files = sorted(
        path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*") if path.is_file()
    )
    assert len(files) == 11
    differing = [
        str(path)
        for path in files
        if (tmp_path / "a" / path).read_bytes() != (tmp_path / "b" / path).read_bytes()
    ]
    assert differing in ([], ["timing.json"])


def test_it_is_read_back_as_it_was_written(two: Result, tmp_path: Path) -> None:
    again = Result.load(two.write(tmp_path / "run", plots=False, report=False))
    assert again.summary() == two.summary()
    assert again.samples.flows.equals(two.samples.flows)


def test_metrics_count_from_the_end_of_the_warm_up() -> None:
    result = _run(ac.flow("reno"), warmup="10s")
    assert result.summary()["measured_time"] == 10.0
    flow = result.flows.row(0, named=True)
    assert flow["active_time"] == pytest.approx(10.0, abs=1e-9)
    assert flow["goodput"] < RATE
    # 10 s at the line rate, and a quarter less at the very least (a Reno flow without a buffer).
    assert 0.75 * 10 * RATE / PACKET_BITS < flow["sent_packets"] < 10 * RATE / PACKET_BITS * 1.01


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"flows.app": {"kind": "file", "size": "1GB"}},
            "had not finished when the run ended at 20 s",
        ),
        ({"flows.cc": "cos+reno"}, "began COS slow start without an initial ssthresh"),
        ({"duration": "1s"}, "was measured for only 16.7 round trips"),
    ],
)
def test_what_is_wrong_with_the_experiment_is_warned_of(
    changes: dict[str, object], words: str
) -> None:
    assert words in " ".join(_run(ac.flow("reno"), **changes).warnings)
