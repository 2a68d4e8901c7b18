"""prio: who is in the first band sees no queue."""

import pytest

import ackclock as ac
from ackclock.results import Result

# 10 Mbit/s, 20 ms; datagrams of 200 bytes of payload.
FULL_PACKET = 1500 * 8 / 10e6


def run(priority: int, **prio: object) -> Result:
    flows = [
        ac.flow("cubic", name="bulk"),
        ac.flow(
            name="call",
            app={"kind": "cbr", "rate": "100kbit/s", "packet": "200 bytes"},
            priority=priority,
        ),
    ]
    return ac.run(
        ac.dumbbell(
            profile="rfc",
            rate="10Mbit/s",
            rtt="20ms",
            flows=flows,
            qdisc={"kind": "prio", **prio},
            buffer="100 packets",
            duration="20s",
            warmup="2s",
        )
    )


# The packet on the line is not called back: at most one full packet, beyond the smallest delay of
# all.
def test_a_call_in_the_first_band_waits_for_one_packet_at_most() -> None:
    result = run(6)
    stream = result.streams.row(0, named=True)
    assert stream["delay_max"] - stream["delay_min"] <= FULL_PACKET + 1e-6
    assert stream["lost_packets"] == 0
    assert result.links["utilisation"][0] > 0.999


# 100 packets wait in its band when the bulk's window is full; in the third band, too, it waits
# until that queue has been empty.
@pytest.mark.parametrize("priority", [0, 1])
def test_a_call_elsewhere_waits_behind_the_bulk(priority: int) -> None:
    stream = run(priority).streams.row(0, named=True)
    assert stream["delay_p50"] is None or stream["delay_p50"] > 0.03


def test_a_band_may_have_any_discipline() -> None:
    plain, codel = run(6), run(6, children=["fifo", "codel", "fifo"])
    assert codel.links["queue_delay_mean"][0] < 0.3 * plain.links["queue_delay_mean"][0]
    assert codel.streams["delay_max"][0] - codel.streams["delay_min"][0] <= FULL_PACKET + 1e-6


def test_the_map_is_the_users() -> None:
    result = run(0, bands=2, priomap=[0, *[1] * 15])
    # Both are of priority 0 and in one band.
    assert result.streams["delay_p50"][0] > 0.03
