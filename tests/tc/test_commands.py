"""Commands of links, their notes, and the script around them."""

from __future__ import annotations

import re
import subprocess
from typing import Any

import pytest
from click.testing import CliRunner

from ackclock.cli.group import LazyGroup
from ackclock.results.queue_limits import full_packets
from ackclock.scenario import Scenario
from ackclock.scenario.qdisc.tc_words.red import burst_of, weight_exponent
from ackclock.scenario.tc import commands_of
from ackclock.tools.tc import script_of
from tc_cases import scenario_table


def _commands(**keys: Any) -> tuple[list[str], list[str]]:
    plan = Scenario.parse(scenario_table(keys)).plan()
    commands = commands_of(plan["links"][0], full_packets(plan)[0])
    return [" ".join(words) for words in commands.setup], commands.notes


def test_a_note_says_why_the_limit_is_a_packet_larger() -> None:
    commands, notes = _commands(limit="24 packets", delay="0s")
    assert commands[-1].endswith("pfifo limit 25")
    assert any("one packet above the scenario's" in note for note in notes)


def test_a_limit_in_bytes_of_a_discipline_of_packets_is_said() -> None:
    commands, notes = _commands(limit="150kB", qdisc="codel")
    assert " codel limit 100 " in f"{commands[-1]} "
    assert any("100 full packets stand for 150000 bytes" in note for note in notes)


@pytest.mark.parametrize(
    ("keys", "note"),
    [
        ({"qdisc": {"kind": "pie", "max_burst": "100ms"}}, "burst allowance"),
        ({"qdisc": {"kind": "red"}}, "no gentle RED"),
        ({"qdisc": {"kind": "cobalt", "ecn": False}}, "cake always marks"),
        ({"qdisc": {"kind": "cobalt", "target": "10ms"}}, "twentieth of rtt"),
        ({"loss": {"kind": "periodic", "every": 100}}, "every n-th packet"),
        ({"loss": {"kind": "bernoulli", "p": 0.01}}, "pure ACKs"),
        ({"jitter": "exponential(2ms)"}, "no exponential distribution"),
        ({"jitter": "uniform(0ms, 2ms)"}, "in order"),
        ({"reorder": {"p": 0.1, "extra": "10ms"}}, "skip the delay"),
        ({"ecn_rewrite": "bleach"}, "no ECN field"),
        ({"outages": [["2s", "3s"]]}, "no rate of zero"),
    ],
)
def test_tc_cannot_say_everything(keys: dict[str, Any], note: str) -> None:
    _, notes = _commands(**keys)
    assert any(note in sentence for sentence in notes), notes


def _red_warnings(qdisc: Any) -> list[str]:
    plan = Scenario.parse(scenario_table({"qdisc": qdisc})).plan()
    return commands_of(plan["links"][0], full_packets(plan)[0]).warnings


@pytest.mark.parametrize(
    "qdisc",
    [
        "red",
        {"kind": "red", "wait": True, "ecn": True},
        {"kind": "prio", "children": ["fifo", {"kind": "red"}, "fifo"]},
    ],
)
def test_red_that_waits_is_said_to_be_another_queue_on_linux(qdisc: Any) -> None:
    (warning,) = _red_warnings(qdisc)
    assert "another queue" in warning
    assert "wait = false" in warning


@pytest.mark.parametrize("qdisc", ["codel", {"kind": "red", "wait": False}])
def test_a_queue_that_linux_has_is_no_other_queue(qdisc: Any) -> None:
    assert _red_warnings(qdisc) == []


def test_dualpi2_has_the_words_of_its_manual_page() -> None:
    commands, notes = _commands(qdisc="dualpi2")
    assert commands[-1].endswith(
        "dualpi2 limit 10000 target 15ms tupdate 16ms alpha 0.16 beta 3.2 step_thresh 1ms "
        "min_qlen_step 0 coupling_factor 2 drop_on_overload drop_dequeue classic_protection 10"
    )
    assert any("Linux 6.17" in note for note in notes)


def test_a_second_device_takes_the_wire() -> None:
    plan = Scenario.parse(scenario_table({"limit": "100 packets"})).plan()
    commands = commands_of(plan["links"][0], 1500, apart=True, header=0)
    assert [" ".join(words) for words in commands.setup] == [
        "qdisc replace dev WIRE root handle 1: netem limit 11802 delay 20ms",
        "qdisc replace dev DEVICE root handle 1: tbf rate 20mbit burst 2500 limit 101",
        "qdisc add dev DEVICE parent 1:1 handle 2: pfifo limit 101",
    ]


def test_schedules_become_pauses_and_changes() -> None:
    table = scenario_table(
        {
            "rate": {"schedule": [["0s", "20Mbit/s"], ["10s", "5Mbit/s"]], "period": "15s"},
            "limit": {"schedule": [["0s", "100 packets"], ["4s", "50 packets"]]},
            "delay_schedule": [["2s", "30ms"]],
            "outages": {"windows": [["6s", "7s"]], "lossy": True},
        }
    )
    plan = Scenario.parse(table).plan()
    text = script_of([commands_of(plan["links"][0], 1500)], name="steps")
    assert "( while :; do\n" in text
    assert (
        '  sleep 10\n  tc qdisc change dev "$BOTTLENECK" parent 1:1 handle 2: tbf rate 5mbit'
        in text
    )
    assert (
        '  sleep 4\n  tc qdisc change dev "$BOTTLENECK" parent 2:1 handle 3: pfifo limit 51\n'
        in text
    )
    assert '  sleep 2\n  tc qdisc change dev "$BOTTLENECK" root handle 1: netem' in text
    assert "delay 30ms" in text
    assert "loss random 100%" in text
    assert subprocess.run(["sh", "-n"], input=text, text=True, check=False).returncode == 0


def test_red_weights_follow_iproute2() -> None:
    # tc prints "ewma 9" for these parameters: a weight of 1/512.
    burst, weight = burst_of(0.002, 30_000, 1500)
    assert weight == 1 / 512
    assert weight_exponent(30_000, burst, 1500) == 9
    assert weight_exponent(30_000, burst - 1, 1500) == 8
    # A burst below min / avpkt is refused by tc.
    assert weight_exponent(30_000, 10, 1500) is None


def _run(*words: str) -> Any:
    return CliRunner().invoke(LazyGroup(), list(words))


def test_the_command_prints_a_script_of_all_links() -> None:
    done = _run("tc", "scenarios/codel.toml")
    assert done.exit_code == 0, done.output
    assert done.output.startswith("#!/bin/sh\n")
    assert ': "${BOTTLENECK_REVERSE:?' in done.output
    assert re.search(r"codel limit 1000 target 5ms interval 100ms noecn\n", done.output)


def test_another_queue_is_said_in_the_script_on_the_terminal_and_in_json() -> None:
    import json

    done = _run("tc", "scenarios/red-ecn.toml", "--dev", "eth1")
    assert re.search(r"^# +warning: Linux's RED is another queue", done.stdout, re.MULTILINE)
    assert done.stderr.startswith("warning: bottleneck: Linux's RED is another queue")
    (first,) = json.loads(_run("tc", "scenarios/red-ecn.toml", "--dev", "eth1", "--json").stdout)
    assert len(first["warnings"]) == 1
    plain = _run(
        *("tc", "scenarios/red-ecn.toml", "--dev", "eth1"),
        *("--set", "network.bottleneck.qdisc.wait=false"),
    )
    assert "warning" not in plain.stdout + plain.stderr


def test_the_command_takes_a_device() -> None:
    done = _run("tc", "scenarios/codel.toml", "--dev", "eth1")
    assert "BOTTLENECK=${BOTTLENECK:-eth1}" in done.output
    assert "REVERSE" not in done.output


def test_json_has_the_commands_as_words() -> None:
    import json

    done = _run("tc", "scenarios/rate-steps.toml", "--json", "--dev", "bottleneck=eth1")
    (first, _) = json.loads(done.output)
    assert first["commands"][0][:5] == ["tc", "qdisc", "replace", "dev", "eth1"]
    assert [at for at, _ in first["later"][0]["steps"]] == [20, 40]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--link", "botleneck"), "there is no link 'botleneck', only bottleneck"),
        (("--dev", "a=eth1"), "there is no link 'a' here"),
        (("--dev", "x" * 16), "is not the name of a network device"),
        (("--dev", "eth1; reboot"), "is not the name of a network device"),
    ],
)
def test_errors_are_one_line(words: tuple[str, ...], said: str) -> None:
    done = _run("tc", "scenarios/codel.toml", *words)
    assert done.exit_code == 2 or done.exception is not None
    assert said in (done.output + str(done.exception))
