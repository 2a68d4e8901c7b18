"""Errors in captures, choices of connections, saving."""

import json

import polars as pl
import pytest

import ackclock as ac
from captures.seen import captured


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    flows = [ac.flow("reno", name="small", stop="1s"), ac.flow("cubic", name="large")]
    return captured(tmp_path_factory.mktemp("two"), flows=flows, duration="5s")[1]


def test_the_connection_with_most_payload_is_taken(folder):
    capture = ac.read_pcap(folder / "sender.pcapng")
    assert capture.connections.height == 2
    assert capture.connection == 1
    other = ac.read_pcap(folder / "sender.pcapng", connection=0)
    assert other.figures["bytes"] < capture.figures["bytes"]


def test_a_link_shows_one_direction(folder):
    capture = ac.read_pcap(folder / "bottleneck.pcapng")
    assert capture.segments["is_data"].all()
    assert capture.figures["rtt_min"] is None


@pytest.mark.parametrize(
    ("connection", "text"),
    [
        (7, "there is no connection 7: the capture has 2, numbered 0 to 1"),
        (-1, "there is no number -1: connections are numbered from 0"),
    ],
)
def test_no_such_connection(folder, connection, text):
    with pytest.raises(ac.CaptureError, match=text):
        ac.read_pcap(folder / "sender.pcapng", connection=connection)


def test_a_missing_file(tmp_path):
    with pytest.raises(ac.CaptureError, match=r"none\.pcap: there is no such file"):
        ac.read_pcap(tmp_path / "none.pcap")


def test_a_damaged_file(folder, tmp_path):
    data = bytearray((folder / "sender.pcapng").read_bytes())
    data[2000:2100] = b"\xff" * 100
    (tmp_path / "broken.pcapng").write_bytes(data)
    with pytest.raises(
        ac.CaptureError, match=r"broken\.pcapng: the capture is damaged after frame"
    ):
        ac.read_pcap(tmp_path / "broken.pcapng")


def test_saved(folder, tmp_path):
    capture = ac.read_pcap(folder / "sender.pcapng")
    saved = capture.write(tmp_path / "seen")
    told = json.loads((saved / "capture.json").read_text(encoding="utf-8"))
    assert told["figures"] == capture.figures
    assert pl.read_parquet(saved / "segments.parquet").equals(capture.segments)
    assert ac.load(saved / "path.toml").name == "captured-path"
    # An earlier capture is replaced.
    assert capture.write(saved) == saved


@pytest.mark.long
def test_reading_twice_gives_equal_bytes(folder, tmp_path):
    texts = [
        ac.read_pcap(folder / "sender.pcapng").write(tmp_path / name) for name in ("one", "two")
    ]
    for name in ("capture.json", "segments.parquet", "capture.svg", "path.toml"):
        assert (texts[0] / name).read_bytes() == (texts[1] / name).read_bytes()
