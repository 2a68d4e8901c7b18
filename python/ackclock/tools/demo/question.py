"""The question, the runs that answer it, and the answer in words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.sweeps import Design

__all__ = ["QUESTION", "SCENARIO", "answer", "question_design"]

QUESTION = "Does COS-Slow-Start lose fewer packets than Reno's slow start?"
SCENARIO = Path(__file__).with_name("cos-slow-start.toml")
"""The scenario, with the variants and numbers of connections in its [compare] table."""
_AXIS = "flows.count"


def question_design() -> Design:
    """The design of the demonstration: 5 numbers of connections, 2 slow starts, 5 seeds."""
    from ackclock.scenario import load
    from ackclock.sweeps.comparing import comparison_of

    return comparison_of([load(SCENARIO)])


def answer(differences: Sequence[Mapping[str, Any]]) -> str:
    """Two sentences: where COS-Slow-Start loses fewer packets, with an interval, and where not.

    Parameters
    ----------
    differences
        A row for each number of connections, as `SweepResult.to_dict` gives them: `difference` of
        COS from Reno in packets, its 95 % interval from `low` to `high` (None if all seeds agree)
        and the `relative` difference.
    """
    fewer = [row for row in differences if _is_fewer(row)]
    others = [row for row in differences if not _is_fewer(row)]
    if not fewer:
        return (
            "No: at none of the numbers of connections does COS-Slow-Start lose fewer packets. "
            f"{_doubt(others)}"
        )
    # An interval says more than a difference that is equal in all runs.
    shown = next((row for row in reversed(fewer) if row["low"] is not None), fewer[-1])
    first = (
        f"Yes with {_counts(fewer)}: with {shown[_AXIS]}, COS-Slow-Start loses "
        f"{-100 * shown['relative']:.0f} % fewer packets{_interval(shown)}."
    )
    return first if not others else f"{first} {_doubt(others)}"


def _is_fewer(row: Mapping[str, Any]) -> bool:
    high = row["difference"] if row["high"] is None else row["high"]
    return bool(high < 0)


def _is_more(row: Mapping[str, Any]) -> bool:
    low = row["difference"] if row["low"] is None else row["low"]
    return bool(low > 0)


def _counts(rows: Sequence[Mapping[str, Any]], noun: str = " connections") -> str:
    numbers = [str(row[_AXIS]) for row in rows]
    if len(numbers) == 1:
        return f"{numbers[0]} connection" if numbers == ["1"] else f"{numbers[0]}{noun}"
    return f"{', '.join(numbers[:-1])} and {numbers[-1]}{noun}"


def _interval(row: Mapping[str, Any]) -> str:
    if row["low"] is None:
        return f" ({-row['difference']:.0f} fewer in every run)"
    return (
        f" ({_signed(row['difference'])} packets, 95 % interval {_signed(row['low'])} to "
        f"{_signed(row['high'])}, {row['n']} pairs of seeds)"
    )


def _signed(value: float) -> str:
    return f"{value:+.0f}".replace("-", "−")


def _doubt(others: Sequence[Mapping[str, Any]]) -> str:
    """A sentence on the numbers of connections where no advantage shows."""
    more = [row for row in others if _is_more(row)]
    open_ = [row for row in others if not _is_more(row)]
    parts = []
    if open_:
        parts.append(
            f"{_counts(open_)} the interval holds both fewer and more, so these runs decide nothing"
        )
    if more:
        worst = max(more, key=lambda row: float(row["relative"]))
        parts.append(f"{_counts(more)} it loses more, up to {100 * worst['relative']:.0f} %")
    return f"With {'; with '.join(parts)}."
