"""Judge the figures of golden cells: recorded intervals, bounds, equal bytes, pairs by seed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ackclock.verdicts.families import settled_moves
from ackclock.verdicts.judgement import Judgement
from ackclock.verdicts.margin import Margin
from ackclock.verdicts.paired import common, moved
from ackclock.verdicts.ranges import Range
from ackclock.verdicts.recorded import known, recorded
from ackclock.verdicts.words import Words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.golden.states import State
    from ackclock.golden.suite import Case, Checked, Suite

__all__ = ["BOUNDS", "EXACT", "PAIRED", "RECORDED", "WORDS", "compare", "judge_pairs"]

RECORDED, BOUNDS, EXACT, PAIRED = "recorded", "bounds", "exact", "paired"
"""Rules of a check: recorded interval, bounds of the file, equal bytes, or seed by seed."""

WORDS = Words(
    {"within": "ok", "beyond": "changed", "undecided": "not judged"},
    by_rule={("beyond", BOUNDS): "outside"},
    case="cell",
)
"""Outcomes of a check; "outside" is of bounds, and "not judged" needs more seeds."""


def compare(
    suite: Suite, earlier: Mapping[str, State], now: Mapping[str, State]
) -> list[Judgement]:
    """The checks of all chosen cells, by recorded intervals, bounds and equal bytes."""
    checks: list[Judgement] = []
    for case in suite.cases:
        before, after = earlier.get(case.name), now[case.name]
        if case.is_exact and before is not None:
            checks.append(_exact(case, before, after))
        for check in case.checks:
            if check.is_bounded:
                checks.append(_bounded(case, check, after))
            elif before is not None:
                judgement = recorded(
                    _plain(case, check, RECORDED),
                    before.figures[check.name].values,
                    after.figures[check.name].values,
                    Margin(share=check.tolerance),
                    level=suite.level,
                    is_deterministic=before.is_deterministic,
                )
                checks.append(judgement)
    return checks


def judge_pairs(
    suite: Suite, old: Mapping[str, State], now: Mapping[str, State]
) -> list[Judgement]:
    """The checks of all chosen cells against an earlier state, seed by seed, with Holm's rule."""
    moves = [
        _paired(case, check, old[case.name], now[case.name])
        for case in suite.cases
        for check in case.checks
    ]
    by_cell: dict[str, list[Judgement]] = {
        case.name: [_exact(case, old[case.name], now[case.name])] if case.is_exact else []
        for case in suite.cases
    }
    for move in settled_moves(moves, suite.false_alarms):
        by_cell[move.case].append(move)
    return [check for checks in by_cell.values() for check in checks]


def _plain(case: Case, check: Checked, rule: str) -> Judgement:
    return Judgement(
        case=case.name,
        figure=check.name,
        unit=check.unit,
        kind="shown",
        rule=rule,
        against=None if rule == BOUNDS else RECORDED,
    )


def _exact(case: Case, before: State, now: State) -> Judgement:
    hashes = dict(zip(before.seeds, before.runs, strict=True))
    runs = dict(zip(now.seeds, now.runs, strict=True))
    both = [seed for seed in runs if seed in hashes]
    others = [seed for seed in both if hashes[seed] != runs[seed]]
    why = "" if both else "no seed is one of the recorded ones"
    return Judgement(
        case=case.name,
        figure="equal runs",
        unit="1",
        kind="within" if both and not others else "beyond",
        rule=EXACT,
        counts=(len(both) - len(others), len(both)),
        why=f"the first other run is that of seed {others[0]}" if others else why,
    )


def _bounded(case: Case, check: Checked, now: State) -> Judgement:
    plain = replace(
        _plain(case, check, BOUNDS),
        values=known(now.figures[check.name].values),
        low=check.low,
        high=check.high,
    )
    if plain.mean is None:
        return replace(plain, kind="beyond", why="no run has a value")
    return replace(plain, kind=Range.of(check.low, check.high).kind_of(plain.mean))


def _paired(case: Case, check: Checked, old: State, now: State) -> Judgement:
    before = dict(zip(old.seeds, old.figures[check.name].values, strict=True))
    after = dict(zip(now.seeds, now.figures[check.name].values, strict=True))
    seeds = [seed for seed in now.seeds if seed in before]
    earlier, new = common([before[seed] for seed in seeds], [after[seed] for seed in seeds])
    plain = replace(_plain(case, check, PAIRED), values=new, references={RECORDED: earlier})
    return moved(plain, Margin(share=check.tolerance))
