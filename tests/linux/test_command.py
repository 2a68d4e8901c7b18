"""The command line as a user calls it, as far as no kernel is needed."""

import pytest

from ackclock.cli import main


def status(*arguments: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert isinstance(end.value.code, int)
    return end.value.code


@pytest.mark.parametrize(
    ("arguments", "words"), [([], "missing FILE"), (["a.toml", "--check"], "--check needs no FILE")]
)
def test_a_file_or_a_check(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("linux", *arguments) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1


def test_another_system_has_no_linux(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from ackclock.engine.linux import machine

    monkeypatch.setattr("platform.system", lambda: "Darwin")
    machine.kernel.cache_clear()
    assert status("linux", "--check") == 1
    assert "this machine runs Darwin" in capsys.readouterr().err
    machine.kernel.cache_clear()
