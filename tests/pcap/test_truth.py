"""Does a capture at the sender show the run's own record?"""

import numpy as np
import polars as pl
import pytest

import ackclock as ac
from pcap.seen import POINTS, captured


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return captured(tmp_path_factory.mktemp("truth"), loss=0.002)


def test_each_point_is_told(run):
    _, folder = run
    places = [ac.read_pcap(folder / f"{point}.pcapng").figures["vantage"] for point in POINTS[:2]]
    assert [place["place"] for place in places] == ["sender", "receiver"]
    # The whole round trip of the handshake is seen from anywhere.
    assert places[0]["handshake_rtt"] == pytest.approx(places[1]["handshake_rtt"], abs=1e-6)


@pytest.mark.parametrize("point", POINTS[:2])
def test_every_retransmission_is_found(run, point):
    result, folder = run
    capture = ac.read_pcap(folder / f"{point}.pcapng")
    truth = result.flows.row(0, named=True)
    kinds = capture.figures["kinds"]
    retransmissions = sum(
        kinds.get(kind, 0)
        for kind in ("fast retransmission", "timeout retransmission", "retransmission")
    )
    # At the receiver those are missing that the wire lost again, one in 500.
    assert retransmissions == pytest.approx(
        truth["retransmitted_packets"], abs=0 if point == "sender" else 2
    )
    assert kinds.get("timeout retransmission", 0) == 0


def test_rtt_is_that_of_the_run(run):
    result, folder = run
    capture = ac.read_pcap(folder / "sender.pcapng")
    truth = result.flows.row(0, named=True)
    # The run's smallest sample is that of the SYN, which takes less time on the link than data.
    handshake = capture.figures["vantage"]["handshake_rtt"]
    assert handshake == pytest.approx(truth["rtt_min"], rel=1e-6)
    assert capture.figures["rtt_max"] == pytest.approx(truth["rtt_max"], rel=0.05)


@pytest.mark.parametrize(("point", "share"), [("sender", 0.03), ("receiver", 0.06)])
def test_inflight_is_that_of_the_sender(run, point, share):
    """The run's own samples against the capture's inflight just before them."""
    result, folder = run
    capture = ac.read_pcap(folder / f"{point}.pcapng")
    seen = capture.segments.filter(pl.col("inflight").is_not_null())
    truth = result.samples.flows.filter(pl.col("time") > 1.0)
    at = np.searchsorted(seen["time"].to_numpy(), truth["time"].to_numpy(), "right") - 1
    inflight = seen["inflight"].to_numpy()[at]
    own = truth["inflight"].to_numpy()
    # The receiver sees what the sender did half a round trip later; in recovery the sender counts
    # losses by RACK, which the capture does not know.
    assert np.median(np.abs(inflight - own)) <= share * np.median(own)
