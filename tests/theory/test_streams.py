"""UDP streams against what a link must do to them."""

import polars as pl
import pytest

import ackclock as ac


def _run(
    app: dict[str, object], *, rate: str = "1Mbit/s", limit: str = "10 packets", **options: str
) -> ac.Result:
    flow = ac.flow(app=app, name="stream")
    return ac.run(
        ac.dumbbell(
            profile="rfc",
            rate=rate,
            rtt="40ms",
            buffer=limit,
            flows=[flow],
            duration="10s",
            **options,
        )
    )


def test_a_slow_stream_sees_an_empty_path() -> None:
    # 500 kbit/s in datagrams of 1028 bytes: one every 16.448 ms, 608 in 10 s; 20 ms of propagation
    # and 8.224 ms of transmission.
    result = _run({"kind": "cbr", "rate": "500kbit/s", "packet": "1000 bytes"})
    row = result.streams.row(0, named=True)
    assert row["sent_packets"] == 608
    assert row["lost_packets"] == 0
    assert row["delay_min"] == pytest.approx(0.028224)
    assert row["delay_max"] == pytest.approx(0.028224)
    assert row["jitter"] == 0.0
    sent = result.samples.datagrams["sent_time"]
    assert sent.diff().drop_nulls().to_numpy() == pytest.approx(0.016448)


def test_an_overloaded_link_drops_the_difference() -> None:
    # 2 Mbit/s into 1 Mbit/s: half is lost; the queue holds ten, so a datagram waits for at most
    # eleven transmissions before its own.
    row = _run({"kind": "cbr", "rate": "2Mbit/s"}).streams.row(0, named=True)
    assert row["lost_packets"] / row["sent_packets"] == pytest.approx(0.5, abs=0.01)
    assert row["delay_max"] <= 0.020 + 12 * 0.008224
    assert row["delay_p50"] >= 0.020 + 10 * 0.008224


def test_what_comes_after_its_time_is_late() -> None:
    # The queue of the overloaded link fills within its first datagrams: after that all wait longer
    # than the first and 20 ms.
    row = _run({"kind": "cbr", "rate": "2Mbit/s", "playout": "20ms"}).streams.row(0, named=True)
    assert row["late_packets"] > 0.98 * row["received_packets"]
    # The first took 28.224 ms.
    assert row["playout_delay"] == pytest.approx(0.048224)


def test_a_datagram_is_a_row_with_the_delay_of_its_arrival() -> None:
    result = _run({"kind": "cbr", "rate": "2Mbit/s"})
    lost = result.samples.datagrams.filter(pl.col("delay").is_null()).height
    row = result.streams.row(0, named=True)
    # The last few were still on their way.
    assert row["lost_packets"] <= lost <= row["lost_packets"] + 20
    assert result.samples.datagrams["delay"].max() == pytest.approx(row["delay_max"])


def test_a_call_without_pauses_has_the_codecs_rate() -> None:
    # G.711: 160 bytes and 40 of headers every 20 ms are 80 kbit/s on the wire.
    result = _run({"kind": "voice", "talk": "0s"})
    row = result.streams.row(0, named=True)
    assert row["sent_packets"] == 500
    assert row["sent_bytes"] * 8 / 10 == pytest.approx(80_000)
    # 20 ms of frame, 21.6 ms of path, 60 ms of buffer: 101.6 ms from mouth to ear.
    assert row["playout_delay"] == pytest.approx(0.0816)
    assert row["r_factor"] == pytest.approx(90.6, abs=0.2)


def test_fair_queueing_saves_calls_from_an_upload() -> None:
    def worst(qdisc: str) -> float:
        scenario = ac.load(
            "scenarios/voice-beside-cubic.toml",
            changes={"network.bottleneck.qdisc": qdisc, "duration": "15s"},
        )
        return float(ac.run(scenario).streams["mos"].min())  # type: ignore[arg-type]

    # 4 BDP of queue are 200 ms: R falls by more than 15. Fair queueing lets calls pass: nothing but
    # frame, path and buffer is left.
    assert worst("fifo") < 3.9
    assert worst("fq_codel") > 4.2


def test_a_run_with_the_same_seed_has_the_same_calls() -> None:
    scenario = ac.load(
        "scenarios/voice-beside-cubic.toml", changes={"duration": "5s", "warmup": "0s"}
    )
    assert ac.run(scenario).streams.equals(ac.run(scenario).streams)
    assert not ac.run(scenario).streams.equals(ac.run(scenario, seed=2).streams)
