"""The simulator's figures beside the kernel's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ackclock.validation.figures import BARS, Key, figures_of, margin_of
from ackclock.verdicts.judgement import Judgement
from ackclock.verdicts.recorded import within_runs
from ackclock.verdicts.result import Verdicts
from ackclock.verdicts.words import Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.metrics.recorded_run import RecordedRun

__all__ = ["KERNEL", "WORDS", "Comparison", "Row", "barred", "judge", "verdicts"]

KERNEL = "kernel"
"""Name of the reference."""


WORDS = Words(
    {"within": "holds", "beyond": "missed", "undecided": "may be chance", "shown": ""},
    case="scenario",
    figure="bar",
    before=KERNEL,
)


@dataclass(frozen=True)
class Row:
    """One figure: its values per repetition and per seed, and whether they agree."""

    key: Key
    judgement: Judgement

    @property
    def kernel(self) -> tuple[float, ...]:
        """Values of the kernel's repetitions."""
        return self.judgement.references[KERNEL]

    @property
    def simulated(self) -> tuple[float, ...]:
        """Values of the simulator's seeds."""
        return self.judgement.values

    @property
    def interval(self) -> tuple[float, float] | None:
        """Simulator less kernel: the 95 % interval of the difference of means.

        None: too few runs, or none differs from another.
        """
        span = self.judgement.difference
        return None if span is None else (span.low, span.high)

    @property
    def is_barred(self) -> bool:
        """Whether the figure has a bar."""
        return self.judgement.kind != "shown"

    @property
    def deviation(self) -> float | None:
        """Return the difference over the allowed one: from -1 to 1 the bar holds.

        None without bar, or if one side has no value.
        """
        return self.judgement.deviation

    @property
    def size(self) -> float:
        """Size of the deviation; infinite if one side has no value."""
        return math.inf if self.deviation is None else abs(self.deviation)

    @property
    def is_chance(self) -> bool:
        """Whether the miss can be chance: enough runs, and an interval that reaches the bar."""
        return self.judgement.kind == "undecided"

    @property
    def holds(self) -> bool | None:
        """Whether the bar holds; None: there is none.

        A figure that only the kernel shows is a miss.
        """
        return self.judgement.is_ok if self.is_barred else None

    @property
    def bar(self) -> str:
        """The bar in words."""
        return BARS[self.key.measure].text if self.is_barred else ""


@dataclass(frozen=True)
class Comparison:
    """One scenario: its description, both sides' runs, and the rows of its table."""

    name: str
    description: str
    kernel: tuple[RecordedRun, ...]
    simulated: tuple[RecordedRun, ...]
    rows: tuple[Row, ...]
    disturbed: tuple[RecordedRun, ...] = ()
    """The kernel's runs whose timing was disturbed: left out, unless there are no others."""

    @property
    def is_left_out(self) -> bool:
        """Whether disturbed runs of the kernel were left out."""
        return bool(self.disturbed) and not any(run.disturbed for run in self.kernel)

    @property
    def is_one_run(self) -> bool:
        """Whether all seeds give the same run: nothing in the scenario is left to chance."""
        return len(self.simulated) > 1 and all(
            len(row.simulated) == len(self.simulated) and row.judgement.is_one_run
            for row in self.rows
            if row.simulated
        )

    @property
    def firsts(self) -> tuple[dict[str, int], dict[str, int]] | None:
        """Return how often each flow of one start time was first: kernel, simulator.

        None where no two flows start together.
        """
        sides = tuple(_firsts(runs) for runs in (self.kernel, self.simulated))
        return sides if any(sides) else None  # type: ignore[return-value]

    @property
    def barred(self) -> list[Row]:
        """Rows that are judged."""
        return [row for row in self.rows if row.is_barred]

    @property
    def misses(self) -> list[Row]:
        """Rows whose bar does not hold, the worst first."""
        missed = [row for row in self.rows if row.holds is False]
        return sorted(missed, key=lambda row: -row.size)

    def as_json(self) -> dict[str, Any]:
        """A document for other programs."""
        return {
            "scenario": self.name,
            "repetitions": len(self.kernel),
            "seeds": len(self.simulated),
            "conditions": [dict(run.conditions) for run in self.kernel],
            "bars": len(self.barred),
            "missed": len(self.misses),
            "measures": [
                {
                    "measure": row.key.measure,
                    "of": row.key.of,
                    "unit": "1" if row.key.unit == "%" else row.key.unit,
                    "kernel": list(row.kernel),
                    "simulated": list(row.simulated),
                    "low": row.judgement.low,
                    "high": row.judgement.high,
                    "interval": None if row.interval is None else list(row.interval),
                    "chance": row.is_chance,
                    "holds": row.holds,
                }
                for row in self.rows
            ],
        }


def judge(
    name: str, description: str, kernel: Sequence[RecordedRun], simulated: Sequence[RecordedRun]
) -> Comparison:
    """Measure both sides and lay them beside each other.

    Parameters
    ----------
    name, description
        Of the scenario.
    kernel
        Repetitions. Disturbed ones are left out where there are others.
    simulated
        A run per seed.
    """
    disturbed = [run for run in kernel if run.disturbed]
    kernel = [run for run in kernel if not run.disturbed] or kernel
    left, right = [figures_of(run) for run in kernel], [figures_of(run) for run in simulated]
    keys = list(dict.fromkeys(key for figures in (*left, *right) for key in figures))
    keys.sort(key=lambda key: _place(key, [*left, *right]))
    sent = {
        (key.measure, key.of): sum(values) / len(values)
        for key in keys
        if key.measure.startswith("sent")
        and (values := tuple(figures[key] for figures in left if key in figures))
    }
    rows = []
    for key in keys:
        values = tuple(figures[key] for figures in left if key in figures)
        simulated_values = tuple(figures[key] for figures in right if key in figures)
        bar = BARS.get(key.measure)
        is_judged = simulated_values or not (bar and bar.needs_both)
        plain = Judgement(
            case=name,
            figure=key.title,
            unit=key.unit,
            kind="shown",
            values=simulated_values,
            references={KERNEL: values},
            against=KERNEL,
        )
        rows.append(Row(key, within_runs(plain, margin_of(key, sent) if is_judged else None)))
    return Comparison(
        name, description, tuple(kernel), tuple(simulated), tuple(rows), tuple(disturbed)
    )


def barred(comparisons: Sequence[Comparison], *measures: str) -> list[Row]:
    """The rows that have bars; of these figures alone if there are any."""
    return [
        row
        for comparison in comparisons
        for row in comparison.barred
        if not measures or row.key.measure in measures
    ]


def verdicts(comparisons: Sequence[Comparison]) -> Verdicts:
    """The bars of all scenarios as one result."""
    return Verdicts(
        "validation",
        "validation",
        tuple(row.judgement for row in barred(comparisons)),
        WORDS,
        {
            comparison.name: {
                "repetitions": str(len(comparison.kernel)),
                "seeds": str(len(comparison.simulated)),
            }
            for comparison in comparisons
        },
    )


def _firsts(runs: Sequence[RecordedRun]) -> dict[str, int]:
    firsts = [order[0] for run in runs if (order := run.order)]
    return {name: firsts.count(name) for name in sorted(set(firsts))}


def _place(key: Key, sides: Sequence[dict[Key, float]]) -> int:
    """Position of the key in the fullest list that has it."""
    return max(list(figures).index(key) for figures in sides if key in figures)
