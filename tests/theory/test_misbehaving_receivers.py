"""Receivers that mislead the sender: what they gain, and how their goodput is counted."""

from typing import Any

import pytest

import ackclock as ac


def run(transport: dict[str, Any], **more: Any) -> ac.Result:
    """A flow of Reno over 10 Mbit/s and 100 ms, whose receiver has these options, for 30 s."""
    bottleneck = {"rate": "10Mbit/s", "delay": "50ms", "limit": "0.25bdp"}
    return ac.run(
        ac.Scenario.parse(
            {
                "duration": "30s",
                "profile": more.pop("profile", "linux"),
                "network": {"kind": "dumbbell", "bottleneck": bottleneck | more},
                "flows": [{"name": "f", "cc": "reno", "transport": transport}],
            }
        )
    )


def counters(result: ac.Result) -> dict[str, Any]:
    return dict(result.flows.row(0, named=True))


@pytest.mark.parametrize("profile", ["linux", "rfc"])
def test_division_of_acks_gains_nothing(profile: str) -> None:
    runs = [
        run({"delayed_ack": 1, "ack_division": division}, profile=profile) for division in (1, 8)
    ]
    honest, divided = (counters(result) for result in runs)
    # RFC 3465 section 4: bytes count, so that more ACKs bring no more window. The margin is for the
    # times of ACKs: quick and held-back ACKs of the host are divided too.
    assert divided["goodput_bytes"] == pytest.approx(honest["goodput_bytes"], rel=0.03)
    acks = [
        result.links.filter(name="bottleneck.reverse")["delivered_packets"].item()
        for result in runs
    ]
    assert acks[1] > 7 * acks[0]


@pytest.mark.long
def test_optimistic_acks_gain_and_conceal_losses() -> None:
    honest, ahead = (
        counters(run(options, loss={"kind": "bernoulli", "p": 0.01}))
        for options in ({}, {"optimistic_ack": "20 packets"})
    )
    # Reno at 1 % of loss and 100 ms is far below the link's rate; nothing tells of losses here.
    assert ahead["goodput_bytes"] > 3 * honest["goodput_bytes"]
    # Nothing is sent again, so that goodput lacks the concealed losses: those by chance and at the
    # buffer. Data that was sent and acknowledged early may still be under way at the end.
    assert ahead["retransmitted_packets"] <= 0.01 * ahead["sent_packets"]
    assert ahead["goodput_bytes"] < 0.995 * ahead["acked_bytes"]
    lost = ahead["sent_packets"] - ahead["goodput_bytes"] / 1448
    assert lost > 0.005 * ahead["sent_packets"]


@pytest.mark.parametrize("ecn", ["classic", "accurate"])
def test_hidden_marks_reduce_nothing(ecn: str) -> None:
    step = {"kind": "step", "threshold": "5 packets"}
    shown, hidden = (
        counters(run({"ecn": ecn, "hide_marks": hides}, qdisc=step)) for hides in (False, True)
    )
    assert shown["ecn_reductions"] > 0
    assert hidden["ecn_reductions"] == 0
    assert hidden["goodput_bytes"] > shown["goodput_bytes"]


def test_a_plan_of_an_honest_receiver_names_none_of_it() -> None:
    plan = run({"ack_division": 1, "optimistic_ack": "off", "hide_marks": False}).plan
    assert not {"ack_division", "optimistic_ack_bytes", "hide_marks"} & set(
        plan["flows"][0]["transport"]
    )
