"""Captures, read back by other programs' readers."""

import shutil
import subprocess
from pathlib import Path

import dpkt
import numpy as np
import pytest

from ackclock import _core
from core.plans import dumbbell

HOSTS = {"packet_senders": [0, 1], "packet_receivers": [0, 1], "packet_links": [0, 1]}
POINTS = ["sender", "receiver", "bottleneck", "bottleneck.reverse"]
# Lost data packets, close enough together for several SACK blocks.
LOSS = {"kind": "list", "packets": [30, 32, 34, 35, 200]}


@pytest.fixture(scope="module")
def run() -> _core.Run:
    return _core.run(dumbbell(seconds=2, record=HOSTS, loss=LOSS))


def read(path: Path) -> list[tuple[float, dpkt.ip.IP]]:
    with path.open("rb") as file:
        return [(time, dpkt.ip.IP(data)) for time, data in dpkt.pcapng.Reader(file)]


def options(tcp: dpkt.tcp.TCP) -> dict[int, bytes]:
    return dict(dpkt.tcp.parse_opts(tcp.opts))


def test_every_packet_of_the_table_is_in_the_file(run, tmp_path):
    table = run.packets()
    for name, point in [("sender", 0), ("receiver", 1)]:
        rows = np.flatnonzero((table["point"] == point) & (table["event"] <= 1))
        written = run.write_pcapng(tmp_path / name, name)
        packets = read(tmp_path / name)
        assert written == len(packets) == len(rows) > 1000
        for row, (_, ip) in zip(
            rows[np.argsort(table["time_ns"][rows], kind="stable")], packets, strict=True
        ):
            flow, backward = int(table["flow"][row]), bool(table["is_ack"][row])
            ends = [bytes([10, 0, flow, 1]), bytes([10, 0, flow, 2])]
            assert [ip.src, ip.dst] == (ends[::-1] if backward else ends)
            assert ip.len - 4 * ip.hl - 4 * ip.data.off == table["length"][row]
            assert ip.data.flags & 0xFF == table["flags"][row] & 0xFF
            if not ip.data.flags & dpkt.tcp.TH_SYN:
                # What the packet took up on the link is what its headers say.
                assert ip.len == table["wire_size"][row]


def test_sequence_numbers_count_from_the_syn(run, tmp_path):
    run.write_pcapng(tmp_path / "sender", "sender")
    packets = [ip for _, ip in read(tmp_path / "sender") if b"\x0a\x00\x00\x01" in (ip.src, ip.dst)]
    syn, syn_ack = packets[0].data, packets[1].data
    assert syn.flags & 0xFF == dpkt.tcp.TH_SYN
    assert syn_ack.flags & 0xFF == dpkt.tcp.TH_SYN | dpkt.tcp.TH_ACK
    assert syn_ack.ack == (syn.seq + 1) % 2**32
    assert syn.seq != syn_ack.seq
    last = max(
        (ip.data.ack - syn.seq) % 2**32
        for ip in packets
        if ip.src == b"\x0a\x00\x00\x02" and ip.data.flags & dpkt.tcp.TH_ACK
    )
    # All of the file, the SYN and the FIN take sequence numbers.
    assert last == 300_000 + 2


def test_options_are_negotiated_and_then_used(run, tmp_path):
    run.write_pcapng(tmp_path / "sender", "sender")
    packets = [ip.data for _, ip in read(tmp_path / "sender")]
    for tcp in packets:
        offered = options(tcp)
        if tcp.flags & dpkt.tcp.TH_SYN:
            # The option counts the 12 bytes of timestamps (RFC 6691), the payload does not.
            assert offered[dpkt.tcp.TCP_OPT_MSS] == (1460).to_bytes(2, "big")
            assert dpkt.tcp.TCP_OPT_SACKOK in offered
            # 2^20 bytes of buffer: 2^20 >> 5 is the first to fit into 16 bits.
            assert offered[dpkt.tcp.TCP_OPT_WSCALE] == b"\x05"
        assert dpkt.tcp.TCP_OPT_TIMESTAMP in offered
    assert any(dpkt.tcp.TCP_OPT_SACK in options(tcp) for tcp in packets)


def test_times_are_exact_to_the_nanosecond(run, tmp_path):
    table = run.packets()
    run.write_pcapng(tmp_path / "sender", "sender")
    times = [time for time, _ in read(tmp_path / "sender")]
    expected = np.sort(table["time_ns"][table["point"] == 0]) * 1e-9
    # dpkt's times are floats: 2e-15 at 2 s.
    np.testing.assert_allclose(times, expected, rtol=1e-15, atol=1e-15)


def test_a_link_shows_what_reached_its_far_end(run, tmp_path):
    written = run.write_pcapng(tmp_path / "link", "bottleneck")
    table = run.packets()
    at_link = (table["point"] == 2) & (table["where"] == 0)
    assert written == np.count_nonzero(at_link & (table["event"] == 1))
    assert np.count_nonzero(at_link & (table["event"] == 4)) == len(LOSS["packets"])


def test_a_point_that_was_not_recorded_is_refused(run, tmp_path):
    with pytest.raises(
        ValueError,
        match=r"no packets were recorded at 'middle': this run recorded sender, receiver, "
        r"bottleneck",
    ):
        run.write_pcapng(tmp_path / "x", "middle")
    with pytest.raises(FileNotFoundError):
        run.write_pcapng(tmp_path / "no such folder" / "x", "sender")


@pytest.mark.long
@pytest.mark.skipif(
    shutil.which("tshark") is None, reason="tshark is not installed; CI installs it"
)
@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize(
    "transport",
    [
        {},
        {"loss_detection": "dupack", "timestamps": False, "header_bytes": 40, "dsack": False},
        {"ecn": "classic"},
    ],
    ids=["linux", "classic", "ecn"],
)
def test_wireshark_has_no_complaint(point, transport, tmp_path):
    run = _core.run(dumbbell(seconds=2, record=HOSTS, loss=LOSS, **transport))
    written = run.write_pcapng(tmp_path / "capture.pcapng", point)
    checked = [
        "tshark",
        "-r",
        str(tmp_path / "capture.pcapng"),
        "-o",
        "ip.check_checksum:TRUE",
        "-o",
        "tcp.check_checksum:TRUE",
    ]
    fields = [
        "frame.len",
        "_ws.expert.severity",
        "_ws.malformed",
        "tcp.checksum.status",
        "ip.checksum.status",
        "_ws.expert.message",
    ]
    done = subprocess.run(
        [*checked, "-T", "fields", *(x for f in fields for x in ("-e", f))],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert len(rows) == written
    # What loss does to a sequence is worth a note or a warning to Wireshark; it is no fault of the
    # file.
    about_loss = (
        "previous segment",
        "out-of-order",
        "retransmission",
        "acked segment",
        "duplicate ack",
        "window is full",
        "keep-alive",
    )
    for _, severity, malformed, tcp_checksum, ip_checksum, message in rows:
        assert malformed == ""
        # 1: good; a segment whose payload was left out cannot be judged (2, 3).
        assert tcp_checksum in {"1", "2", "3"}
        assert ip_checksum == "1"
        severe = severity and max(int(value) for value in severity.split(",")) >= 0x00600000
        assert not severe or any(word in message.lower() for word in about_loss), message
