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


def test_unknown_state_and_broken_code_are_said() -> None:
    with pytest.raises(UnknownStateError, match="the simulator has no tcpi_ato"):
        Variables().run("assert tcpi_ato == 1", STATE)
    with pytest.raises(CodeError, match="the code is not Python"):
        Variables().run("assert ===", STATE)
    with pytest.raises(CodeError, match="NameError"):
        Variables().run("assert nothing == 1", STATE)
