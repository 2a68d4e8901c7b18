"""The parts of packetdrill's language that are read."""

import pytest

from ackclock.packetdrill.language import Call, Code, Command, Packet, ScriptError, parse
from packetdrill_scripts import RECEIVES, SENDS


def packet(line: str) -> Packet:
    what = parse(f"0 {line}\n").events[0].what
    assert isinstance(what, Packet)
    return what


def test_a_packet_has_its_numbers_and_options() -> None:
    found = packet(
        "< [ce] FP. 1:1001(1000) ack 7 win 320 <nop,nop,TS val 5 ecr 6,nop,nop,sack 11:21 31:41>"
    )
    assert (found.arrives, found.flags, found.start, found.end, found.length) == (
        True,
        "FP.",
        1,
        1001,
        1000,
    )
    assert (found.ack, found.window, found.ecn, found.stamps) == (7, 320, "ce", (5, 6))
    assert found.sacks == ((11, 21), (31, 41))


def test_a_syn_says_what_it_offers() -> None:
    found = packet("> S. 0:0(0) ack 1 <mss 1460,nop,nop,sackOK,nop,wscale 8>")
    assert (found.arrives, found.mss, found.sack_permitted, found.scale) == (False, 1460, True, 8)


def test_other_protocols_and_options_are_named() -> None:
    assert packet("< icmp unreachable frag_needed mtu 1400 [1:1001(1000)]").other == "icmp"
    assert packet("> S 0:0(0) <mss 1460,FO abcd1234>").other == "TCP option FO"
    assert packet("> . 1:1(0) ack 1 <...>").ignores_options


def test_times_are_relative_absolute_any_and_ranges() -> None:
    events = parse(
        "0 `a`\n+.5 `b`\n1.25 `c`\n* > . 1:1(0) ack 1\n+.1~+.2 > . 1:1(0) ack 1\n"
    ).events
    assert [event.at_us for event in events] == [0, 500_000, 1_250_000, 1_250_000, 1_350_000]
    assert events[4].to_us == 1_450_000
    assert [event.is_any for event in events] == [False, False, False, True, False]
    assert events[2].delay_us == 750_000


def test_calls_keep_what_is_in_their_brackets() -> None:
    script = parse(
        "+0 sendmsg(4, {msg_name(...)=...,\n  msg_iov(1)=[{..., 5}]}, 0) = 5\n+0...0.1 read(3, "
        "..., 9) = -1 EAGAIN (x)\n"
    )
    first, second = (event.what for event in script.events)
    assert isinstance(first, Call)
    assert isinstance(second, Call)
    assert first.name == "sendmsg"
    assert "msg_iov(1)" in first.arguments
    assert (first.result, first.is_blocking) == ("5", False)
    assert (second.result, second.is_blocking) == ("-1 EAGAIN (x)", True)


def test_setup_code_options_and_comments() -> None:
    text = (
        "// x\n--tolerance_usecs=5\n`one\ntwo`\n/* y\n z */ 0 %{\nassert 1 == 1\n}%\n+0 "
        "`three`\n`restore`\n"
    )
    script = parse(text)
    assert script.options == {"tolerance_usecs": "5"}
    assert script.setup == ["one\ntwo"]
    kinds = [type(event.what) for event in script.events]
    assert kinds == [Code, Command]
    assert script.events[0].line == 6


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0 > . 1:1(0 ack 1\n", "line 1: the packet '. 1:1(0 ack 1' is not understood"),
        ("0 socket(...\n", "line 2: socket( has no end"),
        ("0 socket(...)\n", "line 1: socket(...) has no result"),
        ("hello\n", "line 1: 'hello' begins with no time"),
        ("0 %{ assert\n", "line 1: code has no end"),
        ("0 nonsense\n", "line 1: 'nonsense' is neither"),
        ("+9000000000 < . 1:1(0)\n", "line 1: 9000000000 s after the beginning: a script lasts"),
        ("+80000 < . 1:1(0)\n+80000 < . 1:1(0)\n", "line 2: 160000 s after the beginning"),
        ("0 < . 1:1(4294967294)\n", "line 1: '4294967294' is not a number of at most 1048576"),
        ("0 < S 0:0(0) <wscale 999>\n", "line 1: '999' is not a number of at most 255"),
        ("0 < . 1:1(0) ack 4294967296\n", "line 1: '4294967296' is not a number of at most"),
    ],
)
def test_what_is_not_understood_is_said_with_its_line(text: str, says: str) -> None:
    with pytest.raises(ScriptError) as problem:
        parse(text)
    assert str(problem.value).startswith(says)


def test_our_scripts_are_read_whole() -> None:
    assert len(parse(SENDS).events) == 12
    assert len(parse(RECEIVES).events) == 13
