"""A film over UDP: frames complete, late, lost and decodable, against sums by hand."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ackclock as ac
from ackclock.results import Result
from ackclock.scenario.video import read

CLIP = Path(__file__).parents[2] / "scenarios" / "video" / "clip.trace"
HEADERS = 40
"""IPv4, UDP, RTP."""

# I P B B P B B and again: 25 frames/s, a datagram each but for the I frames, which are three.
GOP = "".join(
    f"{0.04 * number:.2f} {kind} {size}\n"
    for number, (kind, size) in enumerate([*zip("IPBBPBB", [3000, *[1000] * 6], strict=True)] * 2)
)


def sent(
    folder: Path,
    trace: str | Path,
    *,
    rate: str = "100Mbit/s",
    loss: dict[str, Any] | None = None,
    duration: str = "2s",
    limit: str = "1000 packets",
    app: dict[str, Any] | None = None,
) -> Result:
    """A film alone on a link with 10 ms of delay."""
    if isinstance(trace, str):
        (folder / "film.txt").write_text(trace, encoding="utf-8")
        trace = folder / "film.txt"
    link = {
        "rate": rate,
        "delay": "10ms",
        "limit": limit,
        **({} if loss is None else {"loss": loss}),
    }
    film = {
        "kind": "video",
        "trace": str(trace),
        "loop": False,
        "packet": "1000 bytes",
        **(app or {}),
    }
    scenario = ac.Scenario.parse(
        {
            "name": "film",
            "duration": duration,
            "network": {"kind": "dumbbell", "bottleneck": link},
            "flows": [{"name": "film", "app": film}],
            "record": {"samples": "100ms"},
        }
    )
    return ac.run(scenario)


def figures(result: Result) -> dict[str, Any]:
    return result.streams.row(0, named=True)


def test_on_a_free_link_every_frame_is_on_time_and_as_in_the_trace(tmp_path: Path) -> None:
    trace = read(CLIP)
    result = sent(tmp_path, CLIP, duration="19.99s")
    frames = result.frames
    expected = [frame for frame in trace.frames if frame.time < 20_000_000]
    assert frames["number"].to_list() == list(range(1, len(expected) + 1))
    assert frames["kind"].cast(pl.String).to_list() == [frame.kind for frame in expected]
    assert frames["size"].to_list() == [frame.size for frame in expected]
    assert frames["sent_time"].to_list() == pytest.approx(
        [frame.time / 1e6 for frame in expected], abs=1e-12
    )
    # The last frame leaves at 19.96 s and takes less than the 10 ms of delay and 4 ms of its bytes.
    assert set(frames["state"].cast(pl.String)) == {"on-time"}
    assert frames["decodable"].sum() == len(expected)
    got = figures(result)
    datagrams = sum(-(-frame.size // 1000) for frame in expected)
    assert (
        got["sent_packets"],
        got["received_packets"],
        got["lost_packets"],
        got["late_packets"],
    ) == (datagrams, datagrams, 0, 0)
    assert got["sent_bytes"] == sum(frame.size for frame in expected) + HEADERS * datagrams


def test_a_frame_is_complete_when_its_last_datagram_has_been_transmitted(tmp_path: Path) -> None:
    result = sent(tmp_path, GOP, rate="1Mbit/s")
    # Three datagrams of 1040 bytes at 1 Mbit/s and 10 ms of delay.
    assert result.frames["complete_time"][0] == pytest.approx(3 * 1040 * 8 / 1e6 + 0.01, abs=1e-9)
    assert result.samples.datagrams["frame"].to_list()[:5] == [1, 1, 1, 2, 3]
    assert result.samples.datagrams["delay"].to_list()[:3] == pytest.approx(
        [0.01 + n * 1040 * 8 / 1e6 for n in (1, 2, 3)], abs=1e-9
    )


@pytest.mark.parametrize(
    ("lost", "decodable"),
    [
        # The datagrams of the first GOP are I 1-3, P 4, B 5, B 6, P 7, B 8, B 9; the second GOP
        # begins with 10.
        ([2], [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1]),
        ([4], [1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1]),
        ([6], [1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
        ([7], [1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1]),
        ([10], [1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]),
    ],
)
def test_what_a_lost_datagram_takes_with_it(
    lost: list[int], decodable: list[int], tmp_path: Path
) -> None:
    result = sent(tmp_path, GOP, loss={"kind": "list", "packets": lost})
    assert result.frames["decodable"].to_list() == decodable
    got = figures(result)
    assert (got["frames_sent"], got["frames_complete"], got["frames_late"], got["frames_lost"]) == (
        14,
        13,
        0,
        1,
    )
    assert got["frames_decodable"] == sum(decodable)
    assert got["lost_packets"] == 1


@pytest.mark.parametrize(
    ("playout", "since", "state", "late_packets"),
    [
        # The I frame's last datagram is there after 10 + 3 * 8.32 = 34.96 ms, its first after 18.32
        # ms.
        ("34.9ms", "sending", "late", 1),
        ("35ms", "sending", "on-time", 0),
        ("16.6ms", "arrival", "late", 1),
        ("16.7ms", "arrival", "on-time", 0),
        ("20ms", "sending", "late", 2),
    ],
)
def test_a_frame_is_late_when_its_last_datagram_comes_after_the_playout_delay(
    playout: str, since: str, state: str, late_packets: int, tmp_path: Path
) -> None:
    result = sent(
        tmp_path,
        GOP,
        rate="1Mbit/s",
        duration="200ms",
        app={"playout": playout, "playout_from": since},
    )
    first = result.frames.row(0, named=True)
    assert first["state"] == state
    assert first["decodable"] == (state == "on-time")
    assert first["deadline"] == pytest.approx(
        float(playout[:-2]) / 1000 + (0.01832 if since == "arrival" else 0), abs=1e-9
    )
    # The others are one datagram each, 18.32 ms on the way.
    assert figures(result)["late_packets"] == late_packets


def test_frames_are_counted_once_each_whatever_happens(tmp_path: Path) -> None:
    result = sent(
        tmp_path,
        CLIP,
        rate="2Mbit/s",
        limit="45 packets",
        duration="30s",
        loss={"kind": "bernoulli", "p": 0.005},
        app={"playout": "150ms"},
    )
    got = figures(result)
    states = dict(result.frames["state"].cast(pl.String).value_counts().iter_rows())
    assert got["frames_sent"] == result.frames.height == sum(states.values())
    assert (got["frames_complete"], got["frames_late"], got["frames_lost"]) == (
        states["on-time"],
        states["late"],
        states["lost"],
    )
    assert min(states["on-time"], states["late"], states["lost"]) > 20
    assert 0 < got["frames_decodable"] < got["frames_complete"]
    # Complete frames are those all of whose datagrams arrived.
    arrived = (
        result.samples.datagrams.group_by("frame")
        .agg(pl.col("delay").is_not_null().all().alias("whole"))
        .sort("frame")
    )
    assert arrived["whole"].to_list() == result.frames["complete_time"].is_not_null().to_list()


def test_a_film_that_is_looped_begins_anew_after_its_duration(tmp_path: Path) -> None:
    result = sent(tmp_path, GOP, duration="2.99s", app={"loop": True})
    frames = result.frames
    # 14 frames in 0.56 s.
    assert frames.height == 75
    assert frames["sent_time"].to_list() == pytest.approx(
        [0.04 * number for number in range(75)], abs=1e-9
    )
    assert "".join(frames["kind"].cast(pl.String)) == ("IPBBPBB" * 11)[:75]


def test_a_film_may_begin_anywhere_with_an_i_frame_and_have_another_rate(tmp_path: Path) -> None:
    result = sent(tmp_path, GOP, app={"begin": "100ms", "rate": "2Mbit/s"})
    assert "".join(result.frames["kind"].cast(pl.String)) == "IPBBPBB"
    # 18,000 bytes in 0.56 s are 257 kbit/s.
    assert result.frames["size"][0] == round(3000 * 2e6 * 0.56 / (8 * 18_000))
    around = sent(tmp_path, GOP, duration="1.99s", app={"begin": "100ms", "loop": True})
    assert "".join(around.frames["kind"].cast(pl.String)) == ("IPBBPBB" * 8)[:50]
    assert around.frames["sent_time"].to_list() == pytest.approx(
        [0.04 * number for number in range(50)], abs=1e-9
    )
    assert around.frames["decodable"].sum() == 50


@pytest.mark.long
def test_beside_tcp_few_lost_datagrams_take_most_of_the_film_unless_it_has_a_queue_of_its_own() -> (
    None
):
    scenario = Path(__file__).parents[2] / "scenarios" / "video-beside-tcp.toml"
    # Four seeds: a single datagram of an I frame takes 56 of the 1000 frames, more than a run could
    # be allowed.
    decodable, lost = {}, {}
    for qdisc in ("fifo", "fq_codel"):
        changes = {"network.bottleneck.qdisc": qdisc, "record.samples": "off"}
        streams = [
            figures(ac.run(ac.load(scenario, changes={**changes, "seed": seed})))
            for seed in (1, 2, 3, 4)
        ]
        decodable[qdisc] = sum(stream["frames_decodable"] for stream in streams) / sum(
            stream["frames_sent"] for stream in streams
        )
        lost[qdisc] = sum(stream["lost_packets"] for stream in streams) / sum(
            stream["sent_packets"] for stream in streams
        )
    # An I frame is 30 datagrams or more, and is lost with any of them: with 2 % of datagrams lost,
    # half of the I frames and of all that follows are.
    assert 0 < lost["fifo"] < 0.03
    assert decodable["fifo"] < 0.5
    # Its burst is at the rate of its fair share, 20 / 5 Mbit/s: what it sends is hardly ever queued
    # for longer than CoDel lets it.
    assert lost["fq_codel"] < 0.001
    assert decodable["fq_codel"] > 0.95


def test_the_jitter_is_rfc_3550s_formula_over_the_arrivals(tmp_path: Path) -> None:
    result = sent(tmp_path, GOP, rate="1Mbit/s", duration="700ms")
    rows = result.samples.datagrams
    # A fifo link keeps the order. Section 6.4.1: D is the difference of two transit times, J
    # becomes J + (|D| - J) / 16.
    jitter, before = 0.0, None
    for delay, estimate in zip(rows["delay"], rows["jitter"], strict=True):
        if before is not None:
            jitter += (abs(delay - before) - jitter) / 16
        before = delay
        # The engine counts sixteenths of picoseconds, one of which may be cut off at every step.
        assert estimate == pytest.approx(jitter, abs=1e-10)
    assert jitter > 1e-3
    assert figures(result)["jitter"] == pytest.approx(jitter, abs=1e-10)
    assert figures(result)["jitter_max"] == pytest.approx(rows["jitter"].max(), abs=1e-12)
