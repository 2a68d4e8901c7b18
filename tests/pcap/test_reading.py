"""Errors in captures, choices of connections, saving."""

import json
import signal
import struct
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import ackclock as ac
from ackclock import _core
from pcap.seen import captured


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
    record = json.loads((saved / "capture.json").read_text(encoding="utf-8"))
    assert record["figures"] == capture.figures
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


class StoppedError(Exception):
    """A handler of a signal raises it, as that of Ctrl-C does."""


@pytest.mark.parametrize(
    "read", [_core.list_capture, lambda file: _core.lay_out_capture(file, 0, "long")]
)
def test_a_signal_ends_a_long_reading_before_its_end(
    read: Callable[[Path], object], tmp_path: Path
) -> None:
    # One byte again and again: 300,000 frames.
    ip = struct.pack(">BBHHHBBH", 0x45, 0, 41, 0, 0, 64, 6, 0) + bytes([10, 0, 0, 1, 10, 0, 0, 2])
    tcp = struct.pack(">HHIIBBHHH", 1, 2, 5, 1, 5 << 4, 16, 65535, 0, 0)
    frame = struct.pack("<IIII", 1, 0, 41, 41) + ip + tcp + b"x"
    file = tmp_path / "long.pcap"
    file.write_bytes(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101) + frame * 300_000)
    handled = 0

    def handle(*_: object) -> None:
        nonlocal handled
        handled += 1
        # A reader that looks only at its end handles one, and one or two as its tables go.
        if handled == 8:
            raise StoppedError

    before = signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    try:
        with pytest.raises(StoppedError):
            read(file)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
