"""Is a capture that could show no packet refused before the run?"""

import pytest

import ackclock as ac
from ackclock.scenario.errors import ScenarioError


def scenario(**record: object) -> ac.Scenario:
    return ac.dumbbell(
        rate="1Mbit/s", rtt="20ms", flows=[ac.flow("reno", name="f")], duration="1s", record=record
    )


@pytest.mark.parametrize("point", ["sender", "receiver"])
def test_hosts_of_no_flow_cannot_be_captured(point):
    with pytest.raises(ScenarioError, match=r"record\.pcap\.1.*names none"):
        scenario(flows=[], pcap=["bottleneck", point]).plan()


def test_links_can_be_captured_without_series_of_flows():
    assert scenario(flows=[], pcap=["bottleneck"]).plan()["record"]["packet_links"] == [0]
    assert scenario(flows=["f"], pcap=["sender"]).plan()["record"]["packet_senders"] == [0]
