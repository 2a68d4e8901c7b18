"""The Python that scripts bring along."""

import pytest

from ackclock.packetdrill.asserting import CodeError, UnknownStateError, Variables

STATE = {"tcpi_snd_cwnd": 10, "tcpi_ca_state": 3}


def test_assertions_hold_or_tell_the_values() -> None:
    code = Variables()
    code.run(
        "assert tcpi_snd_cwnd == 10, tcpi_snd_cwnd; assert tcpi_ca_state == TCP_CA_Recovery", STATE
    )
    with pytest.raises(CodeError, match="assert 5 <= tcpi_snd_cwnd <= 9: tcpi_snd_cwnd is 10"):
        code.run("assert 5 <= tcpi_snd_cwnd <= 9", STATE)


def test_variables_live_on_and_lines_may_be_continued() -> None:
    code = Variables()
    code.run("cwnd = 8", STATE)
    code.run(" cwnd += 1;\\\n cwnd += 1; print(cwnd)", STATE)
    code.run("\nassert tcpi_snd_cwnd == cwnd, 'cwnd=%d' % cwnd\n", STATE)


@pytest.mark.parametrize(
    "text",
    [
        "import os",
        "__import__('os').system('true')",
        "().__class__",
        "open('x')",
        "[x for x in (1,)]",
        "(lambda: 1)()",
        "tcpi_snd_cwnd ** 9",
        "def f(): pass",
        "while 1: pass",
    ],
)
def test_nothing_but_arithmetic_is_allowed(text: str) -> None:
    with pytest.raises(CodeError, match=r"allowed|called"):
        Variables().run(text, STATE)


# Each line doubles what the line before left, or asks for much at once.
@pytest.mark.parametrize(
    ("first", "line"),
    [
        ("x = 9", "x = x * x"),
        ("x = 9", "x *= x"),
        ("x = 'ab'", "x = x + x"),
        ("x = 'ab'", "x += x"),
        ("x = 'ab'", "x = f'{x}{x}'"),
        ("x = 'ab'", "x = '%s%s' % (x, x)"),
        ("x = (1, 2)", "x = x + x"),
        ("x = [1, 2]", "x = [x, x]"),
        ("x = (1, 2)", "x = x, x"),
        ("x = 1", "x = 'a' * 999999999999"),
        ("x = 1", "x = [0] * 999999999999"),
        ("x = 1", "x = '%999999999999d' % x"),
        ("x = 1", "x = '%*d' % (999999999999, x)"),
        ("x = 1", "x = '%-+.999999999999d' % x"),
        ("x = 1", "x = f'{x:999999999999}'"),
        ("x = 1", "w = 999999999999; x = f'{x:{w}}'"),
        ("x = 1", "x = f'{x:.999999999999f}'"),
        ("x = 1", "x = round(x, -999999999999)"),
    ],
)
@pytest.mark.timeout(10)
def test_nothing_grows_without_a_bound(first: str, line: str) -> None:
    for lines in (
        "\n".join([first, *[line] * 60]),
        "\n".join([first, "if 1:", *[f"  {line}"] * 60]),
    ):
        with pytest.raises(CodeError, match=r"more than|not numbers|tuple in a|digits|constant"):
            Variables().run(lines, STATE)


def test_texts_and_tuples_are_those_of_python() -> None:
    Variables().run(
        "a, b = tcpi_snd_cwnd, 3; a -= b % 2\n"
        "assert a in [9, 10] and (a, b) == (9, 3), f'{a:>4} and {b!r} of {tcpi_snd_cwnd / 4:.1f}'\n"
        "assert f'{a:>4}|{b!r}|{a / 4:.1f}' == '   9|3|2.2'\n"
        "assert '%3d|%s of 10000' % (a, b) == '  9|3 of 10000'\n"
        "assert round(2.5) == 2 and round(2.347, 2) == 2.35 and 'a' + 'b' == 'ab'",
        STATE,
    )


def test_unknown_state_and_broken_code_are_said() -> None:
    with pytest.raises(UnknownStateError, match="the simulator has no tcpi_ato"):
        Variables().run("assert tcpi_ato == 1", STATE)
    with pytest.raises(CodeError, match="the code is not Python"):
        Variables().run("assert ===", STATE)
    with pytest.raises(CodeError, match="NameError"):
        Variables().run("assert nothing == 1", STATE)
