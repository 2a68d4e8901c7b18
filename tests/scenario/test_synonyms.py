"""For a key by another name, the message has the line to write, and that line is right."""

import re
import tomllib
from pathlib import Path

import pytest

import ackclock as ac
from ackclock.cli import main
from ackclock.scenario.synonyms import _PLACES, _WORDS, other_name

Capture = pytest.CaptureFixture[str]

SCENARIO = """
duration = "20s"
{top}
[network]
kind = "dumbbell"
{network}
bottleneck = {{ rate = "10Mbit/s", delay = "30ms"{bottleneck} }}
[[flows]]
cc = "reno"
{flow}
"""


def scenario(**lines: str) -> str:
    return SCENARIO.format(**{"top": "", "network": "", "bottleneck": "", "flow": "", **lines})


@pytest.mark.parametrize(
    ("where", "line", "says"),
    [
        ("bottleneck", ', rtt = "60ms"', 'delay = "30ms" (one way)'),
        ("top", 'rtt = "60ms"', 'it belongs into network: rtt = "60ms"'),
        ("network", 'base_rtt = "60ms"', 'here it is called rtt: rtt = "60ms"'),
        ("network", 'bandwidth = "1Mbit/s"', 'here it is called rate: rate = "1Mbit/s"'),
        ("bottleneck", ', buffer = "2bdp"', 'limit = "2bdp"'),
        (
            "network",
            'buffers = "100 packets"',
            'it belongs into network.bottleneck: limit = "100 packets"',
        ),
        ("bottleneck", ', latency = "5ms"', 'delay = "5ms" (one way)'),
        ("bottleneck", ', bandwidth = "5Mbit/s"', 'rate = "5Mbit/s"'),
        ("flow", 'congestion_control = "cubic"', 'here it is called cc: cc = "cubic"'),
        ("bottleneck", ', queue = "codel"', 'here it is called qdisc: qdisc = "codel"'),
        ("bottleneck", ", queue = 100", 'here it is called limit: limit = "100 packets"'),
        ("flow", "bytes = 5000", 'app = { kind = "file", size = "5000 bytes" }'),
        ("flow", 'rtt = "10ms"', 'it belongs into access: delay = "2.5ms" (one way, at each end)'),
        ("flow", 'size = "1MB"', 'app = { kind = "file", size = "1MB" }'),
        ("bottleneck", ', loss_rate = "5%"', 'here it is called loss: loss = "5%"'),
        ("bottleneck", ", plr = 0.001", "here it is called loss: loss = 0.001"),
        ("bottleneck", ", loss = { every = 3 }", "kind = one of 'bernoulli', "),
        (
            "bottleneck",
            ', loss = { kind = "bernoulli", rate = 0.05 }',
            "here it is called p: p = 0.05",
        ),
        ("top", 'loss = "5%"', 'it belongs into network.bottleneck: loss = "5%"'),
        ("flow", "stop = 60", '60 has no unit: write "60 s"'),
        ("top", 'nodes = ["a", "b"]', 'write kind = "graph" in [network], or leave [[nodes]] out'),
    ],
)
def test_the_message_has_the_line(tmp_path: Path, where: str, line: str, says: str) -> None:
    path = tmp_path / "s.toml"
    path.write_text(scenario(**{where: line}), encoding="utf-8")
    with pytest.raises(ac.ScenarioError) as error:
        ac.load(path)
    assert says in str(error.value)
    assert len(str(error.value)) < 300


def test_an_unknown_algorithm_names_the_nearest_and_how_to_list_all(tmp_path: Path) -> None:
    for name, near in {
        "renoo": "did you mean 'reno', 'veno' or 'newreno'?",
        "xyzzy": "reno, cubic",
    }.items():
        path = tmp_path / "s.toml"
        path.write_text(scenario().replace("reno", name), encoding="utf-8")
        with pytest.raises(ac.ScenarioError) as error:
            ac.load(path)
        assert near in str(error.value)
        assert re.search(r"ackclock list cc lists all \d+", str(error.value))
        assert len(error.value.message) < 200


@pytest.mark.parametrize("table", sorted(_PLACES))
def test_every_line_is_toml(table: str) -> None:
    for meant in _PLACES[table]:
        for word in _WORDS[meant]:
            for value in (
                "60ms",
                "5%",
                0.1,
                3,
                "10Mbit/s",
                "cubic",
                "1MB",
                [],
                {"rate": "5%"},
                "\x1b",
                'a"b',
            ):
                hint = other_name(table, word, value)
                line = hint.partition(": ")[2].partition(" (one way")[0]
                assert tomllib.loads(line), hint


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["loss=5%"], "write --set network.bottleneck.loss=5%"),
        (["--rtt", "60ms"], "write --set network.rtt=60ms"),
        (["rate=5Mbit/s"], "write --set network.bottleneck.rate=5Mbit/s"),
        (["--set", "loss=5%"], 'it belongs into network.bottleneck: loss = "5%"'),
        (["--set", "duration=60"], '60 has no unit: write "60 s"'),
    ],
)
def test_the_command_line_says_how_to_set_a_key(
    tmp_path: Path, capsys: Capture, words: list[str], says: str
) -> None:
    path = tmp_path / "s.toml"
    path.write_text(scenario(), encoding="utf-8")
    with pytest.raises(SystemExit) as status:
        main(["run", str(path), *words])
    assert status.value.code == 2
    assert says in capsys.readouterr().err
