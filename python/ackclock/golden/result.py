"""Results of a test of golden cells, and of a recording."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.golden.judging import WORDS
from ackclock.verdicts.result import Verdicts
from ackclock.verdicts.text import count
from ackclock.views import view

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType

    from ackclock.golden.states import State
    from ackclock.verdicts.judgement import Judgement

__all__ = ["GoldenResult", "Moved", "Recorded", "Tested", "before_and_now"]


def before_and_now(check: Judgement) -> tuple[float | None, float | None]:
    """The earlier mean and that of now; of equal bytes, all common seeds and the equal ones."""
    if check.counts is not None:
        return float(check.counts[1]), float(check.counts[0])
    return check.reference_mean, check.mean


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
    checks : tuple of Judgement
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
    checks: tuple[Judgement, ...]
    level: float
    states: Mapping[str, State]
    notes: tuple[str, ...] = ()
    made: int = 0
    reused: int = 0

    @property
    def verdicts(self) -> Verdicts:
        """The checks with their words, as `ackclock.verdicts` tells them."""
        return Verdicts(
            Path(self.file).stem,
            self.file,
            self.checks,
            WORDS,
            {
                cell.name: {
                    "scenario": cell.scenario,
                    "cc": cell.cc,
                    "seeds": f"{cell.seeds[0]} to {cell.seeds[1]}",
                    "runs equal to the byte": "" if cell.same is None else str(cell.same),
                }
                for cell in self.cells
            },
        )

    @property
    def ok(self) -> bool:
        """Whether every check passes."""
        return self.verdicts.ok

    @property
    def failed(self) -> tuple[Judgement, ...]:
        """The checks that do not pass."""
        return self.verdicts.failed

    @property
    def headline(self) -> str:
        """Numbers of cells and checks by outcome, in a sentence."""
        return self.verdicts.headline

    def text(self) -> str:
        """The checks that do not pass, a line each, after the headline."""
        return "\n".join([self.headline, *(f"  {line}" for line in self.lines)])

    @property
    def lines(self) -> list[str]:
        """A line for each check that does not pass, and one for each other plan behind them."""
        failed = {check.case for check in self.failed}
        return [
            *self.verdicts.lines,
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
            "checks": [_data(check) for check in self.checks],
            "notes": list(self.notes),
        }

    def junit(self) -> str:
        """The result as JUnit XML: a suite for each cell, a case for each check."""
        return self.verdicts.junit()

    def __rich__(self) -> RenderableType:
        """The table of the checks, for a terminal."""
        made: RenderableType = view("golden.terminal")(self)
        return made

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
        numbers = ", ".join(f"{len(names)} {word}" for word, names in counts if names)
        moved = f"; {count(len(self.moved), 'figure')} moved" if self.moved else ""
        return f"{count(len(self.cells), 'cell')} recorded{numbers and f' ({numbers})'}{moved}"

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data for JSON."""
        return {
            "file": self.file,
            "cells": list(self.cells),
            "new": list(self.new),
            "dropped": list(self.dropped),
            "same": list(self.same),
            "moved": [asdict(figure) for figure in self.moved],
            "notes": list(self.notes),
        }

    def __rich__(self) -> RenderableType:
        """The table of the figures that moved, for a terminal."""
        made: RenderableType = view("golden.recorded")(self)
        return made

    def __str__(self) -> str:
        """The headline."""
        return self.headline


def _data(check: Judgement) -> dict[str, Any]:
    """A check as plain data; figures in `unit`."""
    before, now = before_and_now(check)
    return {
        "cell": check.case,
        "metric": check.figure,
        "unit": check.unit,
        "kind": check.rule,
        "outcome": WORDS.of(check),
        "before": before,
        "low": check.low,
        "high": check.high,
        "now": now,
        "half_width": None if check.difference is None else check.difference.half_width,
        "p": check.p,
        "why": check.why,
        "difference": None if before is None or now is None else now - before,
        "ok": check.is_ok,
    }
