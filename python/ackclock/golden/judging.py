"""Judge the figures of golden cells: recorded intervals, bounds, equal bytes, pairs by seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.golden.result import Check
from ackclock.golden.rules import judge, pair
from ackclock.golden.states import known
from ackclock.stats import holm
from ackclock.stats.intervals import mean_and_deviation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.golden.rules import Pairing
    from ackclock.golden.states import State
    from ackclock.golden.suite import Case, Checked, Suite

__all__ = ["compare", "judge_pairs"]


def compare(suite: Suite, recorded: Mapping[str, State], now: Mapping[str, State]) -> list[Check]:
    """The checks of all chosen cells, by recorded intervals, bounds and equal bytes."""
    found: list[Check] = []
    for case in suite.cases:
        before, after = recorded.get(case.name), now[case.name]
        if case.is_exact and before is not None:
            found.append(_exact(case, before, after))
        for check in case.checks:
            if check.is_bounded:
                found.append(_bounded(case, check, after))
            elif before is not None:
                found.append(_recorded(case, check, before, after, suite.level))
    return found


def _exact(case: Case, before: State, now: State) -> Check:
    hashes = dict(zip(before.seeds, before.runs, strict=True))
    runs = dict(zip(now.seeds, now.runs, strict=True))
    common = [seed for seed in runs if seed in hashes]
    others = [seed for seed in common if hashes[seed] != runs[seed]]
    is_equal = bool(common) and not others
    return Check(
        case.name,
        "equal runs",
        "1",
        "exact",
        "ok" if is_equal else "changed",
        before=float(len(common)),
        now=float(len(common) - len(others)),
        why=f"the first other run is that of seed {others[0]}"
        if others
        else ("" if common else "no seed is one of the recorded ones"),
    )


def _bounded(case: Case, check: Checked, now: State) -> Check:
    values = known(now.figures[check.name].values)
    mean = mean_and_deviation(values)[0] if values else None
    is_inside = mean is not None and (
        (check.low is None or check.low <= mean) and (check.high is None or mean <= check.high)
    )
    return Check(
        case.name,
        check.name,
        check.unit,
        "bounds",
        "ok" if is_inside else "outside",
        low=check.low,
        high=check.high,
        now=mean,
        why="" if values else "no run has a value",
    )


def _recorded(case: Case, check: Checked, before: State, now: State, level: float) -> Check:
    found = judge(
        before.figures[check.name].values,
        now.figures[check.name].values,
        level=level,
        tolerance=check.tolerance,
        is_deterministic=before.is_deterministic,
    )
    return Check(
        case.name,
        check.name,
        check.unit,
        "recorded",
        found.outcome,
        before=found.before,
        low=found.low,
        high=found.high,
        now=found.now,
        why=found.why,
    )


def judge_pairs(suite: Suite, old: Mapping[str, State], now: Mapping[str, State]) -> list[Check]:
    """The checks of all chosen cells against an earlier state, seed by seed, with Holm's rule."""
    places = [(case, check) for case in suite.cases for check in case.checks]
    pairs = [_paired(check, old[case.name], now[case.name]) for case, check in places]
    tested = [at for at, one in enumerate(pairs) if one.p is not None]
    adjusted = dict(zip(tested, holm([pairs[at].p or 0.0 for at in tested]), strict=True))
    by_cell: dict[str, list[Check]] = {
        case.name: [_exact(case, old[case.name], now[case.name])] if case.is_exact else []
        for case in suite.cases
    }
    for at, ((case, check), one) in enumerate(zip(places, pairs, strict=True)):
        chance = adjusted.get(at)
        moved = one.is_beyond and (chance is None or chance < suite.false_alarms)
        by_cell[case.name].append(
            Check(
                case.name,
                check.name,
                check.unit,
                "paired",
                "changed" if moved else "ok",
                before=one.before,
                now=one.now,
                half_width=one.half_width,
                p=chance,
                why="" if one.count else "no seed has both values",
            )
        )
    return [check for checks in by_cell.values() for check in checks]


def _paired(check: Checked, old: State, now: State) -> Pairing:
    before = dict(zip(old.seeds, old.figures[check.name].values, strict=True))
    after = dict(zip(now.seeds, now.figures[check.name].values, strict=True))
    common = [seed for seed in now.seeds if seed in before]
    return pair(
        [before[seed] for seed in common],
        [after[seed] for seed in common],
        tolerance=check.tolerance,
    )
