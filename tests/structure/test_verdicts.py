"""Judging has one house: tests of significance stand in `stats`, and outcomes in `verdicts`."""

import ast
from pathlib import Path

import ackclock

ROOT = Path(ackclock.__file__).parent
TESTS = {"student_cdf", "binomial_cdf", "holm", "permutation_p", "prediction_interval"}
ABOVE = ("golden", "validation", "evaluation", "studies", "tools/sizing")


def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_nothing_but_stats_and_verdicts_computes_a_chance() -> None:
    users = {
        path.relative_to(ROOT).parts[0] for path in ROOT.rglob("*.py") if imported(path) & TESTS
    }
    assert users == {"stats", "verdicts"}


def test_all_that_judges_takes_its_outcomes_from_verdicts() -> None:
    for room in ABOVE:
        names = set().union(*(imported(path) for path in (ROOT / room).rglob("*.py")))
        assert names & {"Judgement", "Range", "Span"}, room
