"""Are short forms the same scenario as the long ones, and do errors keep the user's keys?"""

from pathlib import Path
from typing import Any

import pytest

import ackclock as ac
from ackclock.scenario.spelling import spelled

SCENARIO = """
duration = "5s"
[network]
kind = "dumbbell"
{network}
[[flows]]
name = "mine"
cc = "cubic"
"""
LONG = 'bottleneck = {{ rate = "10Mbit/s", delay = "30ms"{more} }}'
SHORT = 'rate = "10Mbit/s"\nrtt = "60ms"\n{more}'
FULL_LOSS = '{ kind = "bernoulli", p = 0.01 }'


def scenario(tmp_path: Path, network: str, **options: Any) -> ac.Scenario:
    path = tmp_path / "s.toml"
    path.write_text(SCENARIO.format(network=network), encoding="utf-8")
    return ac.load(path, **options)


def long(tmp_path: Path, more: str = "") -> ac.Scenario:
    return scenario(tmp_path, LONG.format(more=more and f", {more}"))


def short(tmp_path: Path, more: str = "", **options: Any) -> ac.Scenario:
    return scenario(tmp_path, SHORT.format(more=more), **options)


@pytest.mark.parametrize(
    ("written", "full"),
    [
        ("", ""),
        ('buffer = "2bdp"', 'limit = "2bdp"'),
        ('qdisc = "codel"', 'qdisc = "codel"'),
        ('qdisc = { kind = "red", ecn = true }', 'qdisc = { kind = "red", ecn = true }'),
        ('loss = "1%"', f"loss = {FULL_LOSS}"),
    ],
)
def test_a_dumbbell_takes_the_parameters_of_python(tmp_path: Path, written: str, full: str) -> None:
    assert short(tmp_path, written).plan() == long(tmp_path, full).plan()


def test_one_key_may_be_short_and_another_in_the_table(tmp_path: Path) -> None:
    mixed = scenario(tmp_path, 'rtt = "60ms"\nbottleneck = { rate = "10Mbit/s" }')
    assert mixed.plan() == long(tmp_path).plan()


def test_it_is_written_in_full(tmp_path: Path) -> None:
    made = short(tmp_path, 'loss = "1%"')
    assert made.data()["network"] == {
        "kind": "dumbbell",
        "bottleneck": {
            "rate": "10Mbit/s",
            "delay": "30ms",
            "loss": {"kind": "bernoulli", "p": 0.01},
        },
    }


@pytest.mark.parametrize(
    "loss",
    [
        '"1%"',
        '" 1.0 % "',
        '"0.01"',
        "0.01",
        '{ rate = "1%" }',
        "{ p = 0.01 }",
        '{ kind = "bernoulli", p = "1%" }',
    ],
)
def test_a_plain_loss_is_random_loss(tmp_path: Path, loss: str) -> None:
    assert long(tmp_path, f"loss = {loss}").plan() == long(tmp_path, f"loss = {FULL_LOSS}").plan()


@pytest.mark.parametrize("loss", ["1%", 0.01, {"rate": "1%"}, {"kind": "bernoulli", "p": 0.01}])
def test_python_takes_the_same_losses(loss: Any) -> None:
    made = ac.dumbbell(
        rate="10Mbit/s", rtt="60ms", loss=loss, flows=[ac.flow("reno")], duration="5s"
    )
    assert made.plan()["links"][0]["loss"] == {"kind": "bernoulli", "p": 0.01, "acks": False}


@pytest.mark.parametrize(
    ("setting", "full"),
    [
        ("network.rtt=80ms", "network.bottleneck.delay=40ms"),
        ("network.buffer=9 packets", "network.bottleneck.limit=9 packets"),
        ("network.qdisc.target=7ms", "network.bottleneck.qdisc.target=7ms"),
        ("network.loss=2%", "network.bottleneck.loss={kind='bernoulli',p=0.02}"),
        ("network.loss.acks=true", "network.bottleneck.loss.acks=true"),
        ("network.bottleneck.loss.p=3%", "network.loss=0.03"),
    ],
)
def test_settings_mean_the_same_in_both_forms(tmp_path: Path, setting: str, full: str) -> None:
    keys = 'qdisc = "codel"', 'loss = "0.7%"'
    plans = [
        scenario(tmp_path, network, settings=[assignment]).plan()
        for assignment in (setting, full)
        for network in (
            SHORT.format(more="\n".join(keys)),
            LONG.format(more=f", {', '.join(keys)}"),
        )
    ]
    assert plans[0] == plans[1] == plans[2] == plans[3]


@pytest.mark.parametrize(
    ("network", "settings", "says"),
    [
        ('rate = "10Mbit/s"', [], "network.rtt: missing; it is needed: Base RTT"),
        ('rtt = "60ms"', [], "network.rate: missing; it is needed: Line rate"),
        ('rate = "10Mbit"\nrtt = "60ms"', [], "network.rate: rate '10Mbit'"),
        ('rate = "10Mbit/s"\nrtt = 60', [], 'network.rtt: 60 has no unit: write "60 s"'),
        (SHORT.format(more='buffer = "1kB"'), [], "network.buffer: '1kB' is 1000 bytes here"),
        (SHORT.format(more='qdisc = "codle"'), [], "network.qdisc: 'codle' is not one of"),
        (SHORT.format(more="loss = 7"), [], "network.loss: 7 is not a share"),
        (
            SHORT.format(more='bottleneck = { delay = "5ms" }'),
            [],
            "network.rtt: '60ms' is given here and '5ms' in network.bottleneck.delay",
        ),
        (LONG.format(more=""), ["network.rtt=60"], "network.rtt: 60 has no unit"),
        (
            SHORT.format(more=""),
            ["network.bottleneck.delay=60"],
            "network.bottleneck.delay: 60 has no unit",
        ),
    ],
)
def test_errors_name_the_users_key(
    tmp_path: Path, network: str, settings: list[str], says: str
) -> None:
    with pytest.raises(ac.ScenarioError) as error:
        scenario(tmp_path, network, settings=settings).plan()
    assert f"s.toml: {says}" in str(error.value)


def test_short_keys_are_axes(tmp_path: Path) -> None:
    for made in (short(tmp_path), long(tmp_path)):
        sweep = ac.sweep(
            made,
            axes={"network.rtt": ["20ms", "40ms"], "network.loss": ["0%", "1%"]},
            replications=1,
            responses=["goodput"],
        )
        assert sweep.runs["rtt"].to_list() == ["20ms", "20ms", "40ms", "40ms"]
        assert sweep.runs["loss"].to_list() == ["0%", "1%", "0%", "1%"]
    with pytest.raises(ac.ScenarioError, match=r"sweep\.axes\.0\.network\.rtt: 40 has no unit"):
        ac.sweep(long(tmp_path), axes={"network.rtt": ["20ms", 40]}, replications=1)


def test_a_setting_that_makes_it_a_dumbbell_reads_its_short_keys() -> None:
    data = {"network": {"rate": "10Mbit/s", "rtt": "60ms"}, "duration": "5s"}
    written: dict[str, str] = {}
    canonical = spelled(data, [("network.kind", "dumbbell")], written)
    assert canonical["network"] == {
        "kind": "dumbbell",
        "bottleneck": {"rate": "10Mbit/s", "delay": "30ms"},
    }
    assert written["network.bottleneck.delay"] == "network.rtt"
