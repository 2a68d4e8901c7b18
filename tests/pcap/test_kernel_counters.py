"""Are the kinds of segments those that the kernel itself counted while it sent them?

The captures are tcpdump's at a Linux 6.18 sender, the counters are nstat's of its namespace:
tests/pcap/kernel/README.md.
"""

import gzip
import json
from pathlib import Path

import pytest

import ackclock as ac

FOLDER = Path(__file__).parent / "kernel"
COUNTERS = json.loads((FOLDER / "counters.json").read_text(encoding="utf-8"))


@pytest.fixture(params=sorted(COUNTERS))
def seen(request, tmp_path):
    file = tmp_path / f"{request.param}.pcap"
    file.write_bytes(gzip.decompress((FOLDER / f"{request.param}.pcap.gz").read_bytes()))
    return ac.read_pcap(file), COUNTERS[request.param]


def test_retransmissions_have_the_kernels_cause(seen):
    capture, counted = seen
    kinds = capture.figures["kinds"]
    assert kinds.get("fast retransmission", 0) == counted["FastRetrans"]
    # A timeout counts once; what it sends again until all is acknowledged counts as slow start.
    timeouts = counted["Timeouts"] + counted["SlowStartRetrans"]
    assert kinds.get("timeout retransmission", 0) == timeouts
    # Probes with bytes that were never sent are counted by the kernel, and are new data here.
    probes = kinds.get("tail loss probe", 0)
    assert probes == counted["RetransSegs"] - counted["FastRetrans"] - timeouts
    assert probes <= counted["LossProbes"]
    assert "retransmission" not in kinds


def test_each_dsack_of_the_receiver_is_found(seen):
    capture, counted = seen
    dsacks = capture.sacks["is_dsack"].sum()
    assert dsacks == counted["DSACKRecv"] + counted["DSACKOfoRecv"]


def test_the_captures_have_every_cause():
    """Without them the tests above would hold of nothing."""
    for name in ("FastRetrans", "Timeouts", "SlowStartRetrans", "LossProbes", "DSACKRecv"):
        assert sum(counted[name] for counted in COUNTERS.values()) > 3, name
