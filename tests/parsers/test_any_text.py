"""A parser answers any text, or raises the one error that it documents."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_core import PydanticCustomError

from ackclock import _core
from ackclock.packetdrill import script, transcript
from ackclock.scenario import distributions, mahimahi, overrides, quantities, spelling
from ackclock.scenario.cc_parameter import with_parameter
from ackclock.scenario.cdf import CdfError, read_cdf
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.video import reading, text
from ackclock.scenario.video.trace import TraceError
from parsers.any_text import PIECES, broken, texts

if TYPE_CHECKING:
    from collections.abc import Callable

TRANSCRIPTS = sorted(
    (Path(__file__).parents[2] / "crates/packetdrill/tests/transcripts").glob("*.pkt")
)
SCRIPT = """// a script
--tolerance_usecs=1000
`ip link`
0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3
+0 < S 0:0(0) win 32792 <mss 1000,sackOK,nop,wscale 7>
+.1~+.2 > [ect0] P. 1:1001(1000) ack 1 win 5 <nop,nop,TS val 1 ecr 2,sack 1:2 3:4>
* > . 1:1(0) ack 1 <...>
+0...1.5 read(4, ..., 10) = 5
+0 %{ assert tcpi_snd_cwnd == 10 }%
"""
VIDEO = """# ackclock video trace 1
# duration: 0.2 s
# frames: 3
# time presentation kind size after
0 0.04 I 9000 -
0.04 0.12 P 900 1
0.08 0.08 B 90 1+2
"""
DISTRIBUTION = (
    '{"kind": "between", "of": {"kind": "pareto", "scale": 3e3, "shape": 1.2}, "low": 3000.0, '
    '"high": 1e6}'
)

UNITS = (
    "s",
    "ms",
    "us",
    "h",
    "min",
    "bit/s",
    "kbit/s",
    "Mbps",
    "B",
    "kB",
    "KiB",
    "bytes",
    "packets",
    "bdp",
    "e",
)
CC = (
    "reno",
    "cubic",
    "cos",
    "bbr",
    "hystart",
    "cubic(",
    "(beta=0.8)",
    "beta=",
    "python:",
    "python:a:B",
    ")+",
)
DRAWS = (
    "uniform(",
    "exponential(",
    "normal(",
    "pareto(",
    "cdf(",
    "between",
    "and",
    "1s",
    "2s",
    "10kB",
    "5Mbit/s",
)
OPTIONS = ("+0 ", "0 ", "* ", "> ", "< ", ". 1:1(0) ack 1", "<mss ", "sack ", "wscale ", "TS val")
FRAMES = ("I", "P", "B", "IDR", "size", "time_ms", "# duration: ", "# frames: ", " s", "1+2", "-")
STEPS = ("+", "<", ">", "*", "==", "sack", "data", "win", "echo", "marked")

some = settings(max_examples=300, deadline=None)
fewer = settings(max_examples=150, deadline=None)


def answers(parse: Callable[[Any], Any], what: Any, error: type[Exception]) -> None:
    """The parser takes it, or raises exactly this error and no other below it."""
    try:
        parse(what)
    except error as raised:
        assert type(raised) is error  # noqa: PT017 - answering is fine, too


def encoded(strategy: st.SearchStrategy[str]) -> st.SearchStrategy[bytes]:
    return strategy.map(lambda text: text.encode("utf-8", "surrogatepass"))


@some
@given(texts(*UNITS))
def test_quantities(text: str) -> None:
    for parse in (_core.parse_time, _core.parse_rate, _core.parse_size, quantities.amount):
        answers(parse, text, ValueError)
    for check in (quantities.check_time, quantities.check_rate, quantities.check_size):
        answers(check, text, PydanticCustomError)


@some
@given(st.one_of(texts(*CC), broken("hystart(low=3)+cubic(beta=0.8, fast=true)", *CC)))
def test_names_of_algorithms(text: str) -> None:
    answers(_core.check_cc, text, ValueError)
    answers(_core.implied_by_cc, text, ValueError)
    answers(lambda text: with_parameter(text, ["beta"], 0.5, "flows.cc.beta"), text, ScenarioError)


@pytest.mark.long
@some
@given(
    st.one_of(
        texts(*DRAWS),
        broken("pareto(3kB, 1.2) between 3kB and 1MB", *DRAWS),
        broken("uniform(1s, 2s)", *DRAWS),
    )
)
def test_distributions(text: str) -> None:
    for quantity in (
        distributions._TIME,
        distributions._RATE,
        distributions._SIZE,
        distributions._COUNT,
    ):
        answers(
            lambda text, quantity=quantity: distributions._check(text, quantity, None),
            text,
            PydanticCustomError,
        )


@some
@given(
    st.one_of(
        texts('{"kind": "uniform"}'),
        broken(DISTRIBUTION, '"cdf"', '"normal"', "1e400", "-1", "[[1,1]]"),
    )
)
def test_distributions_as_the_engine_reads_them(text: str) -> None:
    for ask in (_core.check_distribution, _core.mean, lambda text: _core.draw(1, "x", text, 3)):
        answers(ask, text, ValueError)


@some
@given(st.one_of(texts("1\n", "2\n", "4\n"), broken("0\n1\n1\n4\n17\n")))
def test_mahimahi_traces(text: str) -> None:
    answers(mahimahi.parse, text, mahimahi.TraceError)


@fewer
@given(content=st.one_of(st.binary(max_size=60), encoded(texts("1 1\n"))))
def test_files_of_mahimahi_traces(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "a.trace"
    file.write_bytes(content)
    answers(mahimahi.read, file, mahimahi.TraceError)


@fewer
@given(
    content=st.one_of(
        st.binary(max_size=60), encoded(broken("1 0.2\n2 0 0.5\n3 1 # end\n", "1 0.5\n", "2 1\n"))
    )
)
def test_files_of_distribution_functions(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    file = tmp_path_factory.getbasetemp() / "a.cdf"
    file.write_bytes(content)
    answers(lambda name: read_cdf(name, file.parent), file.name, CdfError)


@fewer
@given(name=texts("..", "~", "b.cdf", "a" * 300))
def test_names_of_distribution_functions(
    tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    answers(lambda name: read_cdf(name, tmp_path_factory.getbasetemp()), name, CdfError)


RECORDS = st.lists(st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1)))
NS2 = RECORDS.map(
    lambda records: b"".join(number.to_bytes(4, "big") for record in records for number in record)
)


@some
@given(
    content=st.one_of(
        st.binary(max_size=80), encoded(texts(*FRAMES)), encoded(broken(VIDEO, *FRAMES)), NS2
    ),
    rate=st.sampled_from([None, 25.0, 1e-300, 1e300]),
)
def test_traces_of_videos(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, rate: float | None
) -> None:
    file = tmp_path_factory.getbasetemp() / "a.video"
    file.write_bytes(content)
    # Films are the library's to read.
    answers(lambda file: reading.read(file, rate=rate, films=False), file, TraceError)


@some
@given(st.one_of(texts(*OPTIONS), broken(SCRIPT, *OPTIONS)))
def test_packetdrill_scripts(text: str) -> None:
    answers(script.parse, text, script.ScriptError)


GOOD = st.sampled_from(TRANSCRIPTS).map(lambda path: path.read_text(encoding="utf-8"))


@some
@given(content=encoded(GOOD.flatmap(lambda text: broken(text, *STEPS))))
def test_transcripts(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "a.pkt"
    file.write_bytes(content)
    answers(transcript.read_transcript, file, transcript.TranscriptError)


@some
@given(texts("a=1", "flows", ".", "0", "name", "cc", "[[", "]]", '"""', "2020-01-01", "[" * 50))
def test_settings(text: str) -> None:
    overrides.read_value(text)
    answers(overrides.split_setting, text, ScenarioError)
    data = {
        "flows": [{"name": "a", "cc": "reno"}, {"name": "\u00b2"}],
        "network": {"kind": "dumbbell"},
    }
    answers(lambda key: spelling.override(data, key, 1, {}), text, ScenarioError)
    answers(lambda key: spelling.override(data, f"flows.{key}", 1, {}), text, ScenarioError)


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: ascii(piece)[:12])
def test_each_piece_alone(piece: str) -> None:
    """Does not depend on what Hypothesis tries."""
    for parse in (
        _core.parse_time,
        _core.parse_rate,
        _core.parse_size,
        quantities.amount,
        _core.check_cc,
    ):
        answers(parse, piece, ValueError)
    answers(_core.check_distribution, piece, ValueError)
    answers(mahimahi.parse, piece, mahimahi.TraceError)
    answers(script.parse, f"0 {piece}", script.ScriptError)
    for option in ("mss", "wscale", "sack", "sack 1", "sack 1:2:", "TS val 1 ecr"):
        answers(script.parse, f"0 < S 0:0(0) win 1 <{option} {piece}>", script.ScriptError)
    data = {"flows": [{"cc": "reno"}]}
    answers(lambda key: spelling.override(data, key, 1, {}), f"flows.{piece}.cc", ScenarioError)


@pytest.mark.parametrize(
    "line",
    [
        "+0",
        "+nan > . 1:1(0)",
        "+Infinity > . 1:1(0)",
        "+1e999999999 > . 1:1(0)",
        "+1",
        "+1 >",
        "+1 > .",
        "+1 > . 1:1",
        "+1 > . 1:1(0) ack",
        "+1 > . 1:1(0) win",
        "+1 > . 1:1(0) <sack 1>",
        "+1 %{",
        "// ackclock: _",
    ],
)
def test_a_line_of_a_transcript_that_lacks_something_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "a.pkt"
    file.write_text(f"// about\n// ackclock: cc=reno\n{line}\n")
    with pytest.raises(transcript.TranscriptError, match=r"a\.pkt: line 3: "):
        transcript.read_transcript(file)


def test_a_call_without_an_end_is_named_where_the_text_ends(tmp_path: Path) -> None:
    file = tmp_path / "a.pkt"
    file.write_text("// about\n// ackclock: cc=reno\n+1 write(3\n")
    with pytest.raises(transcript.TranscriptError, match=r"a\.pkt: line 4: write\( has no end"):
        transcript.read_transcript(file)


def test_a_transcript_that_is_no_text_is_named(tmp_path: Path) -> None:
    file = tmp_path / "a.pkt"
    file.write_bytes(b"cc \xff\n")
    with pytest.raises(transcript.TranscriptError, match="byte 3"):
        transcript.read_transcript(file)


def test_deep_nesting_is_no_traceback() -> None:
    deep = "[" * 100_000
    assert overrides.read_value(deep) == deep
    for key in ("a." * 100_000 + "a", "flows." + "0." * 5000 + "cc"):
        with pytest.raises(ScenarioError):
            spelling.override({"flows": [{"cc": "reno"}]}, key, 1, {})
    for parse in (_core.check_distribution, _core.mean):
        with pytest.raises(ValueError, match="recursion limit"):
            parse('{"kind": "between", "of": ' * 100_000)


def test_a_list_of_frames_reads_back_as_it_was_written() -> None:
    trace = text.read_text("a", BytesIO(VIDEO.encode()))
    again = text.read_text("a", BytesIO(text.written(trace, {}).encode()))
    assert (again.frames, again.duration) == (trace.frames, trace.duration)
    assert len(trace.frames) == 3


@some
@given(texts("pareto(3kB, 1.2)", " between ", " and ", "3kB", "1MB", "\t"))
def test_bounds_are_what_the_pattern_says(text: str) -> None:
    """A pattern says it shortest, and takes a time that grows with the cube of the text."""
    pattern = re.compile(r"(?P<of>.*?)\s+between\s+(?P<low>.*?)\s+and\s+(?P<high>.*)")
    match = pattern.fullmatch(text)
    parts = distributions._bounds(text)
    assert (parts is None) == (match is None)
    if parts is not None and match is not None:
        assert parts == {name: part.strip() for name, part in match.groupdict().items()}
