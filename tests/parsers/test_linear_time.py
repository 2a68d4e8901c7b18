"""A parser takes four times as long for four times the text; a quadratic one, sixteen times."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from ackclock import _core
from ackclock.packetdrill import script
from ackclock.scenario import distributions, mahimahi, overrides, quantities, spelling
from ackclock.scenario.cc_parameter import with_parameter
from ackclock.scenario.video import text as video

if TYPE_CHECKING:
    from collections.abc import Callable

# Between 4 and 16; the processor's time of a parser varies by a half from run to run, not by two.
MOST = 9.0
# A shorter time tells nothing: it is quick enough for any order of growth.
QUICK_S = 0.02


def frames(text: str) -> None:
    video.read_text("a", (line.encode() for line in text.splitlines(keepends=True)))


def draws(text: str) -> None:
    distributions._check(text, distributions._SIZE, None)


def setting(text: str) -> None:
    spelling.override({"flows": [{"cc": "reno"}]}, text, 1, {})


def parameter(text: str) -> None:
    with_parameter(text, ["gain"], 1, "flows.cc.gain")


SCRIPT = "+0 < . 1:1(0) ack 1 win 5 <nop,nop,sack 1:2>\n"
CASES: list[tuple[str, Callable[[str], object], Callable[[int], str]]] = [
    ("time of one digit", _core.parse_time, lambda n: "9" * n + "s"),
    ("time of many units", _core.parse_time, lambda n: "1" + "s" * n),
    ("rate of spaces", _core.parse_rate, lambda n: "1" + " " * n + "Mbit/s"),
    ("size of zeros", _core.parse_size, lambda n: "0." + "0" * n + "1B"),
    ("amount of digits", quantities.amount, lambda n: "1" * (n // 8) + " packets"),
    ("checked time", quantities.check_time, lambda n: "5" + "x" * (n // 8)),
    ("name of letters", _core.check_cc, lambda n: "r" * n),
    ("name of parts", _core.check_cc, lambda n: "reno+" * (n // 5)),
    ("name of parentheses", _core.check_cc, lambda n: "cubic(" * (n // 6)),
    (
        "name of parameters",
        _core.check_cc,
        lambda n: "cubic(" + ",".join(f"a{i}=1" for i in range(n // 40)) + ")",
    ),
    ("bounds of words", draws, lambda n: "pareto(1B, 1) " + "between 1B " * (n // 100) + "and"),
    ("bounds of spaces", draws, lambda n: "pareto(1B, 1)" + " " * (n // 100) + "between"),
    ("brackets", draws, lambda n: "uniform(" + ")" * n + "x"),
    (
        "distribution of lists",
        _core.check_distribution,
        lambda n: '{"kind": "cdf", "points": [' + "[1, 1]," * (n // 7),
    ),
    ("trace of lines", mahimahi.parse, lambda n: "1\n" * (n // 2)),
    ("trace with a bad end", mahimahi.parse, lambda n: "1\n" * (n // 2) + "x"),
    ("script of events", script.parse, lambda n: SCRIPT * (n // len(SCRIPT))),
    ("script of digits", script.parse, lambda n: "0 < . " + "1" * n),
    ("script of options", script.parse, lambda n: "0 < . 1:1(0) <" + "nop," * (n // 4) + ">"),
    ("script of one call", script.parse, lambda n: "0 a(" + "(" * n),
    ("list of frames", frames, lambda n: "".join(f"{i / 25} P 100\n" for i in range(n // 12))),
    ("parameter of many parts", parameter, lambda n: "a+" * (n // 2)),
    ("parameter in parentheses", parameter, lambda n: "reno(" + "a=1e+3," * (n // 7)),
    ("key of dots", setting, lambda n: "a." * (n // 2)),
    ("value of brackets", overrides.read_value, lambda n: "[" * n),
    ("value of text", overrides.read_value, lambda n: '"' + "x" * n),
]


def seconds(parse: Callable[[str], object], text: str) -> float:
    """Least processor time of three: other processes do not count."""
    taken = []
    for _ in range(3):
        begin = time.process_time()
        try:
            parse(text)
        except Exception as error:
            assert not isinstance(error, MemoryError)  # noqa: PT017
        taken.append(time.process_time() - begin)
    return min(taken)


@pytest.mark.long
@pytest.mark.parametrize(
    ("parse", "make"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_four_times_the_text_takes_four_times_as_long(
    parse: Callable[[str], object], make: Callable[[int], str]
) -> None:
    size = 50_000
    longer = seconds(parse, make(4 * size))
    if longer > QUICK_S:
        shorter = seconds(parse, make(size))
        assert longer < MOST * shorter, f"{shorter:.3f} s, then {longer:.3f} s"
