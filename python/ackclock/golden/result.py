"""Results of a test of golden cells, and of a recording."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from ackclock.tables.intervals import p_value, with_error
from ackclock.tables.quantities import quantity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType

    from ackclock.golden.states import State

__all__ = ["Check", "GoldenResult", "Kind", "Moved", "Outcome", "Recorded", "Tested"]

Kind = Literal["recorded", "bounds", "exact", "paired"]
"""Rule of a check: recorded interval, bounds of the file, equal bytes, or seed by seed."""
Outcome = Literal["ok", "changed", "outside", "not judged"]
"""Outcome of a check; "outside" is of bounds, and "not judged" needs more seeds."""

_NUMBER = 4


def shown(value: float | None, unit: str) -> str:
    """A figure with its unit, four digits."""
    return quantity(value, unit, _NUMBER).replace("-", "−")


@dataclass(frozen=True)
class Check:
    """A figure of a cell, and whether it is as expected."""

    cell: str
    metric: str
    """Name of the metric; "equal runs" for the check of equal bytes."""
    unit: str
    kind: Kind
    outcome: Outcome
    before: float | None = None
    """Recorded mean, or the old mean over the common seeds; of "exact" the number of them."""
    low: float | None = None
    """Smallest mean that passes; None: no such bound."""
    high: float | None = None
    """Largest mean that passes; None: no such bound."""
    now: float | None = None
    """Mean of this test's runs; of "exact" the number of runs with equal bytes."""
    half_width: float | None = None
    """Half of the 95 % interval of the mean difference by seed; None: not paired."""
    p: float | None = None
    """P-value of no change, adjusted by Holm's rule; None: not paired."""
    why: str = ""
    """Explanation, if the numbers alone do not explain the outcome."""

    @property
    def is_ok(self) -> bool:
        """Whether the check passes."""
        return self.outcome in {"ok", "not judged"}

    @property
    def difference(self) -> float | None:
        """Mean of this test's runs minus the earlier mean; None if one is missing."""
        if self.before is None or self.now is None:
            return None
        return self.now - self.before

    @property
    def allowed(self) -> str:
        """The interval as text; "" if there is none."""
        if self.low is None and self.high is None:
            return ""
        if self.low is None:
            return f"at most {shown(self.high, self.unit)}"
        if self.high is None:
            return f"at least {shown(self.low, self.unit)}"
        if self.kind == "bounds":
            return f"{shown(self.low, self.unit)} to {shown(self.high, self.unit)}"
        # A recorded interval lies evenly about the recorded mean.
        return with_error((self.low + self.high) / 2, (self.high - self.low) / 2, self.unit)

    @property
    def change(self) -> str:
        """The difference with its unit, and its interval if it is paired; "" if not known."""
        difference = self.difference
        if difference is None:
            return ""
        if self.half_width is not None:
            text = with_error(difference, self.half_width, self.unit)
        else:
            text = shown(difference, self.unit)
        return f"+{text}" if difference > 0 else text

    @property
    def share(self) -> str:
        """The difference as a share of the earlier mean; "" if not known."""
        if not self.before or not self.difference:
            return ""
        return f"{100 * self.difference / abs(self.before):+.2g} %".replace("-", "−")

    def __str__(self) -> str:
        """The check in one line."""
        told = [shown(self.now, self.unit)]
        if self.kind == "exact":
            told = [f"{shown(self.now, self.unit)} of {shown(self.before, self.unit)}"]
        if self.kind == "bounds":
            told.append(f"allowed: {self.allowed}")
        elif self.allowed and self.now is not None:
            told.append(f"{'within' if self.outcome == 'ok' else 'outside of'} {self.allowed}")
        elif self.kind == "paired" and self.before is not None:
            told.append(f"before {shown(self.before, self.unit)}")
        if self.change and self.kind != "exact":
            told.append(f"change {self.change}{self.share and f' ({self.share})'}")
        if self.p is not None:
            told.append(f"p {p_value(self.p)}")
        if self.why:
            told.append(self.why)
        return f"{self.cell}: {self.metric}: {', '.join(told)}"

    def to_dict(self) -> dict[str, Any]:
        """The check as plain data; figures in `unit`."""
        return {**asdict(self), "difference": self.difference, "ok": self.is_ok}


@dataclass(frozen=True)
class Tested:
    """A cell that was tested."""

    name: str
    cc: str
    """Congestion controls of the flows."""
    scenario: str
    """Name of the scenario."""
    seeds: tuple[int, int]
    """First and last seed."""
    same: int | None
    """Number of runs whose results equal, to the byte, the earlier ones; None: not known."""
    common: int
    """Number of seeds that the earlier state has, too."""
    is_same_plan: bool | None
    """Whether the first seed's plan is the recorded one; None: nothing is recorded."""


@dataclass(frozen=True)
class GoldenResult:
    """Result of a test of golden cells.

    Attributes
    ----------
    file : str
        The file of the cells.
    against : str
        The file or folder that the runs were compared with.
    cells : tuple of Tested
        The cells, in the order of the file.
    checks : tuple of Check
        The checks, in the order of the file.
    level : float
        Largest chance of a false alarm: of one comparison, or of all if they are paired.
    states : mapping
        Values and hashes of the runs, by the name of the cell.
    notes : tuple of str
        Warnings and messages, a sentence each.
    made, reused : int
        Numbers of runs that were made, and that the store had.

    Examples
    --------
    >>> import ackclock as ac
    >>> result = ac.check_golden("golden/golden.toml", only="reno-*")
    >>> isinstance(result, ac.GoldenResult), result.ok
    (True, True)
    """

    file: str
    against: str
    cells: tuple[Tested, ...]
    checks: tuple[Check, ...]
    level: float
    states: Mapping[str, State]
    notes: tuple[str, ...] = ()
    made: int = 0
    reused: int = 0

    @property
    def ok(self) -> bool:
        """Whether every check passes."""
        return all(check.is_ok for check in self.checks)

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that do not pass."""
        return tuple(check for check in self.checks if not check.is_ok)

    @property
    def headline(self) -> str:
        """Numbers of cells and checks by outcome, in a sentence."""
        counts = Counter(check.outcome for check in self.checks)
        told = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
        return f"{_count(len(self.cells), 'cell')}, {_count(len(self.checks), 'check')}: {told}"

    def text(self) -> str:
        """The checks that do not pass, a line each, after the headline."""
        return "\n".join([self.headline, *(f"  {line}" for line in self.lines)])

    @property
    def lines(self) -> list[str]:
        """A line for each check that does not pass, and one for each other plan behind them."""
        failed = {check.cell for check in self.failed}
        return [
            *map(str, self.failed),
            *(
                f"{cell.name}: the plan is another than before: the scenario, the cell's changes "
                "or ackclock's defaults differ"
                for cell in self.cells
                if cell.name in failed and cell.is_same_plan is False
            ),
        ]

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data for JSON."""
        return {
            "file": self.file,
            "against": self.against,
            "ok": self.ok,
            "level": self.level,
            "cells": [{**asdict(cell), "seeds": list(cell.seeds)} for cell in self.cells],
            "checks": [check.to_dict() for check in self.checks],
            "notes": list(self.notes),
        }

    def junit(self) -> str:
        """The result as JUnit XML: a suite for each cell, a case for each check."""
        from ackclock.golden.junit import junit_xml

        return junit_xml(self)

    def __rich__(self) -> RenderableType:
        """The table of the checks, for a terminal."""
        from ackclock.golden.terminal import checks_table

        return checks_table(self)

    def __str__(self) -> str:
        """The headline and the failed checks."""
        return self.text()


@dataclass(frozen=True)
class Moved:
    """A recorded figure before and after a new recording."""

    cell: str
    metric: str
    unit: str
    before: float | None
    """Mean before; None: it was not recorded, or no run had a value."""
    now: float | None
    """Mean now; None: no run has a value."""


@dataclass(frozen=True)
class Recorded:
    r"""Result of a recording of golden cells.

    Attributes
    ----------
    file : str
        The file that holds the recording.
    cells : tuple of str
        Names of the cells that were recorded.
    new : tuple of str
        Names of cells that were not recorded before.
    dropped : tuple of str
        Names of recorded cells that the file of the cells does not have any more.
    same : tuple of str
        Names of cells with results equal, to the byte, to those recorded before.
    moved : tuple of Moved
        Figures whose values are others than those recorded before.
    notes : tuple of str
        Warnings and messages, a sentence each.
    made, reused : int
        Numbers of runs that were made, and that the store had.

    Examples
    --------
    >>> import ackclock as ac
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> from ackclock.golden import Recorded
    >>> folder = Path(mkdtemp())
    >>> _ = (folder / "tiny.toml").write_text(ac.dumbbell(
    ...     rate="5Mbit/s", rtt="20ms", flows=[ac.flow("reno")], duration="3s"
    ... ).to_toml())
    >>> _ = (folder / "golden.toml").write_text(
    ...     '[[cells]]\nname = "tiny"\nscenario = "tiny.toml"\nmetrics = ["goodput"]\n'
    ... )
    >>> recorded = ac.record_golden(folder / "golden.toml", seeds=2)
    >>> isinstance(recorded, Recorded), recorded.new
    (True, ('tiny',))
    """

    file: str
    cells: tuple[str, ...]
    new: tuple[str, ...]
    dropped: tuple[str, ...]
    same: tuple[str, ...]
    moved: tuple[Moved, ...]
    notes: tuple[str, ...] = ()
    made: int = 0
    reused: int = 0

    @property
    def headline(self) -> str:
        """Numbers of recorded, new, equal and dropped cells, in a sentence."""
        counts: Sequence[tuple[str, Sequence[object]]] = (
            ("new", self.new),
            ("equal to the byte", self.same),
            ("dropped", self.dropped),
        )
        told = ", ".join(f"{len(names)} {word}" for word, names in counts if names)
        moved = f"; {_count(len(self.moved), 'figure')} moved" if self.moved else ""
        return f"{_count(len(self.cells), 'cell')} recorded{told and f' ({told})'}{moved}"

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data for JSON."""
        return {
            "file": self.file,
            "cells": list(self.cells),
            "new": list(self.new),
            "dropped": list(self.dropped),
            "same": list(self.same),
            "moved": [asdict(one) for one in self.moved],
            "notes": list(self.notes),
        }

    def __rich__(self) -> RenderableType:
        """The table of the figures that moved, for a terminal."""
        from ackclock.golden.terminal import moved_table

        return moved_table(self)

    def __str__(self) -> str:
        """The headline."""
        return self.headline


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
