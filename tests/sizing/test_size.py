"""The smallest buffer that keeps a link busy: the question, the search, and the answer's words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

import ackclock as ac
from ackclock.cli.group import LazyGroup
from ackclock.tools.sizing import BufferSize, Point, Question, SizingError
from ackclock.tools.sizing.rules import rules_of
from ackclock.tools.sizing.words import answer, cautions, price
from ackclock.verdicts import Span


def _question(**given: Any) -> Question:
    return Question.of(**{"rate": "20Mbit/s", "rtt": "40ms", **given})


def _found(*points: tuple[int, float, float], loss: float = 0.0) -> BufferSize:
    """An answer from sizes with the ends of their intervals."""
    made = tuple(
        Point(size, 5, Span((low + high) / 2, low, high), 0.001, 0.002, loss)
        for size, low, high in points
    )
    return BufferSize(_question(), made, (), 10, 0)


def test_a_size_between_sizes_on_either_side() -> None:
    sizing = _found((16, 0.97, 0.979), (17, 0.981, 0.99), (32, 1.0, 1.0))
    assert (sizing.too_small, sizing.size) == (16, 17)
    assert answer(sizing) == (
        "17 packets = 25.5 kB = 10.2 ms = 0.255 BDP keeps the link busy 98 % of the time."
    )
    assert "1 ms on average" in (price(sizing) or "")


def test_an_interval_that_holds_the_share_leaves_the_answer_open() -> None:
    sizing = _found((16, 0.97, 0.975), (24, 0.975, 0.985), (32, 0.985, 1.0))
    assert answer(sizing).startswith("The answer is between 17 and 32 packets")


def test_one_packet_may_suffice() -> None:
    assert answer(_found((1, 0.99, 0.995), (4, 1.0, 1.0))).startswith("One packet suffices")


def test_the_largest_may_not_suffice() -> None:
    sizing = _found((1, 0.8, 0.81), (64, 0.97, 0.972))
    assert sizing.size is None
    assert answer(sizing).startswith("No buffer up to 64 packets")
    assert not sizing.tc


def test_a_larger_buffer_that_is_less_busy_is_named() -> None:
    sizing = _found((8, 0.99, 0.995), (16, 0.96, 0.97), (32, 0.99, 1.0))
    assert sizing.size == 32
    assert [point.packets for point in sizing.falls_again] == [16]
    assert "16 do not" in cautions(sizing)[0]


def test_heavy_loss_is_named() -> None:
    assert "loss is heavy" in cautions(_found((1, 0.99, 1.0), loss=0.16))[0]


def test_flows_take_algorithms_and_round_trips_in_turn() -> None:
    asked = _question(rtt="20ms,80ms", flows=5, cc=["cubic", "bbr"])
    plan = asked.scenario().plan()
    names = [flow["cc"] for flow in plan["flows"]]
    assert sorted(names) == ["bbr", "bbr", "cubic", "cubic", "cubic"]
    delays = [link["delay_ps"] for link in plan["links"]]
    rtts = [
        sum(delays[link] for link in (*flow["path"], *flow["reverse_path"])) / 1e9
        for flow in plan["flows"]
    ]
    assert sorted(rtts) == [20, 20, 20, 80, 80]
    # Three flows of 20 ms and two of 80 ms.
    assert asked.rtt_s == pytest.approx(0.044)


def test_a_range_of_round_trips_is_drawn_per_flow() -> None:
    asked = _question(rtt="20ms..100ms", flows=200)
    plan = asked.scenario().plan()
    delays = [link["delay_ps"] for link in plan["links"]]
    rtts = [
        sum(delays[link] for link in (*flow["path"], *flow["reverse_path"])) / 1e12
        for flow in plan["flows"]
    ]
    assert 0.02 <= min(rtts) < max(rtts) <= 0.1
    # The mean of 200 uniform draws has a standard error of 1.6 ms.
    assert sum(rtts) / len(rtts) == pytest.approx(asked.rtt_s, abs=0.007)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rate": "20"}, "rate: "),
        ({"rtt": "0s"}, "rtt: "),
        ({"rtt": "80ms..20ms"}, "the first RTT must be the shorter"),
        ({"flows": 0}, "flows: 0 is not a number of 1 to 10000"),
        ({"keep": "120%"}, "below 100 %"),
        ({"keep": "most"}, "write 98% or 0.98"),
    ],
)
def test_errors_name_the_argument(given: dict[str, Any], said: str) -> None:
    with pytest.raises(SizingError, match="^" + next(iter(given))) as error:
        _question(**given)
    assert said in str(error.value)


def test_rules_are_those_of_theory() -> None:
    by_name = {rule.name: rule.packets for rule in rules_of(_question(cc="reno", flows=4))}
    # 20 Mbit/s over 40 ms are 66.7 packets of 1500 bytes.
    assert by_name["bdp"] == pytest.approx(66.67, abs=0.01)
    assert by_name["rule_of_thumb"] == pytest.approx(66.67, abs=0.01)
    assert by_name["small_buffer"] == pytest.approx(33.33, abs=0.01)
    # 3/4 (1 + b)^2 / (1 + b + b^2) = 0.98 at b = 0.6037.
    assert by_name["reno_utilisation"] == pytest.approx(0.6037 * 66.67, abs=0.1)


@pytest.mark.slow
def test_reno_needs_about_its_closed_form(tmp_path: Any) -> None:
    sizing = ac.size_buffer(rate="10Mbit/s", rtt="60ms", cc="reno", store=tmp_path / "runs")
    (wanted,) = (rule.packets for rule in sizing.rules if rule.name == "reno_utilisation")
    assert sizing.size is not None
    # The fluid does not know that two packets arrive at once, nor of recovery.
    assert wanted - 5 <= sizing.size <= 1.35 * wanted
    again = ac.size_buffer(rate="10Mbit/s", rtt="60ms", cc="reno", store=tmp_path / "runs")
    assert (again.made, again.size) == (0, sizing.size)


def test_the_command_prints_the_answer_and_json(tmp_path: Any) -> None:
    words = ["size", "--rate", "1Mbit/s", "--rtt", "20ms", "--seeds", "2", "--cc", "reno"]
    words += ["--store", str(tmp_path / "runs")]
    done = CliRunner().invoke(LazyGroup(), words)
    assert done.exit_code == 0, done.output
    assert "keeps the link busy 98 % of the time" in done.output
    assert 'tc qdisc replace dev "$DEV" root' in done.output
    report = json.loads(CliRunner().invoke(LazyGroup(), [*words, "--json", "-q"]).stdout)
    assert report["size"]["packets"] == int(report["size"]["bytes"]) / 1500
    assert {"low", "mean", "high"} == set(report["points"][0]["utilisation"])
    assert report["runs_made"] == 0
