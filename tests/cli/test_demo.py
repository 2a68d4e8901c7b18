"""The demonstration: a question, its answer with an interval, a report, and the same each time."""

import json
from pathlib import Path

import pytest

from ackclock.tools.demo import QUESTION, SCENARIO, answer
from scripts import ROOT, ackclock_command


def row(count: int, difference: float, half: float | None, relative: float) -> dict[str, object]:
    low, high = (None, None) if half is None else (difference - half, difference + half)
    return {
        "flows.count": count,
        "difference": difference,
        "low": low,
        "high": high,
        "relative": relative,
        "n": 5,
    }


@pytest.mark.long
@pytest.mark.slow
def test_it_answers_with_an_interval_and_a_report(tmp_path: Path) -> None:
    # Earlier results of the same runs make no difference.
    said = [ackclock_command("demo", cwd=tmp_path, env={"COLUMNS": "80"}) for _ in range(2)]
    assert [done.returncode for done in said] == [0, 0], said[0].stderr
    first, again = (done.stdout for done in said)
    assert first == again
    assert first.startswith(f"{QUESTION}\n")
    flowing = " ".join(first.split())
    assert "Yes with 1 and 5 connections: with 5, COS-Slow-Start loses 45 % fewer" in flowing
    assert "95 % interval −109 to −12, 5 pairs of seeds" in flowing
    assert max(map(len, first.splitlines())) <= 80
    assert (tmp_path / "runs/demo/report.html").is_file()
    assert "50 runs (0 made, 50 reused)" in said[1].stderr
    opened = ackclock_command("open", "--print", cwd=tmp_path)
    assert opened.stdout == "runs/demo/report.html\n"
    printed = json.loads(ackclock_command("demo", "--json", cwd=tmp_path).stdout)
    assert printed["question"] == QUESTION
    assert len(printed["differences"]) == 5


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            [row(1, -22, None, -0.67)],
            (
                "Yes with 1 connection: with 1, COS-Slow-Start loses 67 % fewer packets (22 fewer "
                "in every run)."
            ),
        ),
        (
            [row(1, -22, None, -0.67), row(5, -60, 10, -0.4), row(10, -5, 10, -0.01)],
            (
                "Yes with 1 and 5 connections: with 5, COS-Slow-Start loses 40 % fewer packets "
                "(−60 packets, 95 % interval −70 to −50, 5 pairs of seeds). With 10 connections "
                "the interval holds both fewer and more, so these runs decide nothing."
            ),
        ),
        (
            [row(1, 3, None, 0.1), row(5, 30, 10, 0.2)],
            (
                "No: at none of the numbers of connections does COS-Slow-Start lose fewer packets. "
                "With 1 and 5 connections it loses more, up to 20 %."
            ),
        ),
    ],
)
def test_the_answer_follows_from_the_differences(rows: list[dict[str, object]], said: str) -> None:
    assert answer(rows) == said


def test_its_scenario_is_that_of_the_paper() -> None:
    """The demonstration's network and flows are those of the example that explains them."""
    import tomllib

    demo = tomllib.loads(SCENARIO.read_text(encoding="utf-8"))
    example = tomllib.loads((ROOT / "scenarios/p1-cos-slow-start.toml").read_text(encoding="utf-8"))
    assert demo["network"] == example["network"]
    assert demo["flows"][0].items() <= example["flows"][0].items()
