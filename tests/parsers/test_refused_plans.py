"""A plan that the engine refuses is a ScenarioError, as is any other fault of a scenario."""

from pathlib import Path

import pytest

import ackclock as ac
from ackclock.cli import main

SCENARIO = """duration = "1s"
flows = [{ cc = "reno" }]
network = { kind = "dumbbell", bottleneck = { rate = "10Mbit/s", delay = "10ms" } }
transport = { timestamp_clock = "4000h" }
"""


def test_a_clock_slower_than_the_longest_run(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(SCENARIO)
    with pytest.raises(ac.ScenarioError, match=r"timestamp_clock_ps .* must be at most"):
        ac.run(file)
    file.write_text(SCENARIO.replace("4000h", "400h"))
    assert len(ac.run(file).flows) == 1


SWEPT = """
[sweep]
replications = 2
responses = ["utilisation"]
axes = [{ "transport.timestamp_clock" = ["400h", "4000h"] }]
"""


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_one_of_a_sweep(executor: str, tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(SCENARIO + SWEPT)
    pattern = (
        r"a\.toml: setting 1 \(timestamp_clock=4000h\), seed 1: .*timestamp_clock_ps .* must be "
        r"at most"
    )
    with pytest.raises(ac.ScenarioError, match=pattern):
        ac.sweep(file, executor=executor, workers=1)


@pytest.mark.parametrize("words", [["run"], ["compare", "--cc", "reno,cubic"], ["sweep"]])
def test_the_command_says_so_in_a_line(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.toml").write_text(SCENARIO + SWEPT)
    with pytest.raises(SystemExit) as stopped:
        main([words[0], "a.toml", *words[1:], "-q"])
    said = capsys.readouterr().err
    assert stopped.value.code == 2
    assert said.startswith("a.toml: ")
    assert said.count("\n") == 1
    assert len(said) < 300
