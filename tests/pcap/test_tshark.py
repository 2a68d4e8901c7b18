"""Does tshark's analysis call each segment the same?

The list of differences is the one of docs/pcap.md; each has its reason there.
"""

import shutil
import subprocess
from collections import Counter

import pytest

import ackclock as ac
from linux_machine import needs_namespaces
from pcap.seen import POINTS, captured

pytestmark = pytest.mark.skipif(
    shutil.which("tshark") is None, reason="tshark is not installed; CI installs it"
)

FLAGS = (
    "retransmission",
    "fast_retransmission",
    "spurious_retransmission",
    "out_of_order",
    "duplicate_ack",
    "lost_segment",
    "keep_alive",
    "zero_window",
    "window_update",
)
AGAIN = {"fast retransmission", "timeout retransmission", "tail loss probe", "retransmission"}


def analysed(path, stream):
    """Flags, RTT and bytes in flight of each frame, as tshark tells them."""
    names = ["frame.number", *(f"tcp.analysis.{flag}" for flag in FLAGS)]
    names += ["tcp.analysis.ack_rtt", "tcp.analysis.bytes_in_flight"]
    command = ["tshark", "-r", str(path), "-Y", f"tcp.stream=={stream}", "-T", "fields"]
    command += [word for name in names for word in ("-e", name)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    frames = {}
    for line in output.splitlines():
        number, *values = line.split("\t")
        *flags, rtt, inflight = values
        frames[int(number)] = (
            {flag for flag, value in zip(FLAGS, flags, strict=True) if value},
            float(rtt) if rtt else None,
            int(inflight) if inflight else None,
        )
    return frames


def expected(row):
    """The flags of tshark that a segment's kind stands for; of several the first that is there."""
    if row["kind"] in AGAIN or row["kind"] == "out of order":
        return {"retransmission", "spurious_retransmission", "out_of_order"}
    return {
        # With a SACK block and another window.
        "duplicate acknowledgment": {"duplicate_ack", "window_update"},
        "after a gap": {"lost_segment"},
        "keep-alive": {"keep_alive"},
        "window update": {"window_update"},
    }.get(row["kind"], set())


CASES = {
    "losses": {"loss": 0.01},
    "overflow": {"buffer": "0.3bdp"},
    # The kernel's own sender and receiver; they are captured at both ends.
    "kernel": {
        "loss": 0.005,
        "on_kernel": True,
        "duration": "4s",
        "record": {"pcap": ["sender", "receiver"]},
    },
}


@pytest.fixture(
    scope="module",
    params=[
        "losses",
        "overflow",
        pytest.param("kernel", marks=[needs_namespaces, pytest.mark.kernel]),
    ],
)
def folder(request, tmp_path_factory):
    changes = CASES[request.param]
    return captured(tmp_path_factory.mktemp(request.param), **changes)[1]


@pytest.mark.long
@pytest.mark.parametrize("point", POINTS)
def test_each_segment_has_tsharks_flag(folder, point):
    if not (folder / f"{point}.pcapng").is_file():
        pytest.skip("the kernel has no such point")
    capture = ac.read_pcap(folder / f"{point}.pcapng")
    theirs = analysed(folder / f"{point}.pcapng", capture.connection)
    assert set(theirs) == set(capture.segments["frame"])
    differences = Counter()
    for row in capture.segments.iter_rows(named=True):
        flags, _, _ = theirs[row["frame"]]
        ours = expected(row)
        if bool(flags & ours) != bool(ours) or flags - ours - {
            "fast_retransmission", "zero_window", "lost_segment"
        }:  # fmt: skip
            differences[row["kind"], tuple(sorted(flags))] += 1
    assert not differences


@pytest.mark.long
@pytest.mark.parametrize("point", ["sender", "receiver"])
def test_fast_retransmissions_are_among_the_fast(folder, point):
    """Tshark asks for an ACK of the last 20 ms, and for the segment that it asks for."""
    capture = ac.read_pcap(folder / f"{point}.pcapng")
    theirs = analysed(folder / f"{point}.pcapng", capture.connection)
    kinds = dict(capture.segments.select("frame", "kind").iter_rows())
    fast = {
        kinds[frame] for frame, (flags, _, _) in theirs.items() if "fast_retransmission" in flags
    }
    assert fast <= {"fast retransmission"}


@pytest.mark.long
def test_rtt_and_bytes_in_flight_are_tsharks(folder):
    capture = ac.read_pcap(folder / "sender.pcapng")
    theirs = analysed(folder / "sender.pcapng", capture.connection)
    compared = equal = 0
    blocks = 0
    for row in capture.segments.iter_rows(named=True):
        _, rtt, inflight = theirs[row["frame"]]
        if not row["is_data"]:
            blocks = row["sack_count"]
        elif inflight is not None:
            # Tshark takes off the blocks of the last ACK alone, of which three fit into it.
            assert row["outstanding"] == inflight or (
                row["outstanding"] < inflight and blocks >= 3
            ), row["frame"]
            equal += row["outstanding"] == inflight
        if rtt is not None and row["ack_rtt"] is not None and row["kind"] == "acknowledgment":
            # Tshark times the ACK of bytes that SACK had reported: never less than the RTT.
            assert row["ack_rtt"] <= rtt + 1e-6
            compared += abs(row["ack_rtt"] - rtt) < 1e-6
    acks = sum(rtt is not None for _, rtt, _ in theirs.values())
    assert compared > 0.9 * acks
    assert equal > 0.95 * capture.figures["packets"]
