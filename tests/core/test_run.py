"""Runs across the border: results in SI units, progress, and errors as exceptions."""

import json
import os
import signal
import threading

import numpy as np
import pytest

from ackclock import _core
from core.plans import dumbbell

EVERYTHING = {
    "samples": {"kind": "changes"},
    "packet_links": [0],
    "packet_senders": [0, 1],
    "packet_receivers": [0],
}


@pytest.fixture(scope="module")
def run() -> _core.Run:
    return _core.run(dumbbell(record=EVERYTHING))


def test_counters_are_in_si_units(run):
    file, bulk = run.flows()
    assert run.end_time == 10.0
    assert run.events > 10_000
    assert (file["name"], file["cc"]) == ("file", "reno")
    assert file["goodput_bytes"] == file["acked_bytes"] == 300_000
    assert file["sent_payload_bytes"] >= 300_000
    # Without a queue the file takes 0.24 s of link time and a handshake of 20 ms; the bulk flow
    # takes up to about half of the link.
    assert 0.26 < file["fct"] < 2.0
    assert bulk["fct"] is None
    assert bulk["base_rtt"] == pytest.approx(0.02, rel=1e-12)
    # 20 packets of 1500 bytes at 10 Mbit/s: 24 ms of queue at most, and 2 ms of transmission.
    assert 0.02 <= bulk["rtt_min"] <= bulk["rtt_p50"] <= bulk["rtt_p99"] <= bulk["rtt_max"] < 0.09
    assert bulk["limited_cwnd"] > 5.0
    # One Reno flow with half a BDP of buffer or more keeps the link busy: 9 of 10 s at the least.
    assert 9 < 8 * bulk["received_bytes"] / 10e6 < 10


def test_links_balance(run):
    bottleneck, reverse = run.links()
    assert bottleneck["rate"] == 10e6
    assert bottleneck["measured_time"] == 10.0
    assert bottleneck["dropped_packets"] == bottleneck["dropped_forced"] > 0
    in_transit = (
        bottleneck["arrived_packets"]
        - bottleneck["delivered_packets"]
        - bottleneck["dropped_packets"]
    )
    assert 0 <= in_transit <= 60
    assert bottleneck["queue_delay_max"] <= 20 * 1500 * 8 / 10e6 + 1e-12
    assert reverse["dropped_packets"] == 0


def test_columns_have_the_documented_names_and_one_length(run):
    tables = {
        "flow": run.flow_samples(),
        "link": run.link_samples(),
        "packets": run.packets(),
        "internals": {k: v for k, v in run.internals().items() if k != "names"},
    }
    for table in tables.values():
        assert len({len(column) for column in table.values()}) == 1
    assert {name: column.dtype for name, column in tables["flow"].items()} == {
        **dict.fromkeys(
            [
                "time",
                "cwnd",
                "ssthresh",
                "srtt",
                "rtt_sample",
                "inflight",
                "pacing_rate",
                "delivery_rate",
            ],
            np.float64,
        ),
        **dict.fromkeys(["delivered", "acked", "sent", "retransmitted", "lost"], np.uint64),
        "flow": np.uint32,
        "state": np.uint8,
    }
    assert len(tables["flow"]["time"]) > 1000
    assert set(tables["packets"]["point"]) == {0, 1, 2}
    assert tables["internals"]["name"].max() < len(run.internals()["names"])


def test_the_same_plan_gives_the_same_columns(run):
    again = _core.run(dumbbell(record=EVERYTHING))
    assert again.flows() == run.flows()
    for table in ["flow_samples", "link_samples", "packets"]:
        for name, column in getattr(run, table)().items():
            np.testing.assert_array_equal(getattr(again, table)()[name], column)


def test_a_run_comes_back_from_its_bytes(run):
    packed = run.to_bytes()
    again = _core.run_from_bytes(dumbbell(record=EVERYTHING), packed)
    assert again.digest() == run.digest()
    assert again.flows() == run.flows()
    assert again.recorded_until() == run.recorded_until()
    with pytest.raises(ValueError, match="end"):
        _core.run_from_bytes(dumbbell(record=EVERYTHING), packed[: len(packed) // 2])


def test_progress_rises_to_one():
    seen: list[float] = []
    _core.run(dumbbell(seconds=600), seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_what_progress_raises_ends_the_run():
    class StopNowError(Exception):
        pass

    def stop(_: float) -> None:
        raise StopNowError

    with pytest.raises(StopNowError):
        _core.run(dumbbell(seconds=600), stop)


def test_ctrl_c_ends_the_run():
    # A shell starts what runs in the background with SIGINT ignored, and Python then leaves it so.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        interrupt = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        interrupt.start()
        with pytest.raises(KeyboardInterrupt):
            _core.run(dumbbell(seconds=1_000_000))
        interrupt.join()
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_threads_run_meanwhile():
    ended = threading.Event()
    turns = 0

    def count() -> None:
        nonlocal turns
        while not ended.wait(0.001):
            turns += 1

    counter = threading.Thread(target=count)
    counter.start()
    _core.run(dumbbell(seconds=300))
    ended.set()
    counter.join()
    # The run takes some tenths of a second; without the interpreter the other thread would get one
    # turn or two.
    assert turns > 5


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        ("{", "the plan is not valid: EOF"),
        (dumbbell().replace('"duration_ps"', '"duration"'), "unknown field `duration`"),
        (dumbbell().replace('"reno"', '"renno"'), "did you mean 'reno'"),
    ],
)
def test_a_wrong_plan_is_a_value_error(plan, says):
    with pytest.raises(ValueError, match=r".") as raised:
        _core.run(plan)
    assert says in str(raised.value)


def test_the_plans_of_these_tests_are_what_they_seem():
    assert json.loads(dumbbell())["links"][0]["rate_bps"] == 10_000_000


def test_a_digest_is_that_of_all_counters_and_tables(run):
    again = _core.run(dumbbell(record=EVERYTHING))
    assert run.digest() == again.digest()
    assert len(run.digest()) == 16
    assert int(run.digest(), 16) > 0
    assert _core.run(dumbbell()).digest() != run.digest()
