"""The simulator's figures beside the kernel's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ackclock.stats.unpaired import difference_of_means
from ackclock.validation.bars import BARS, ENOUGH, bounds, room
from ackclock.validation.measures import Key, measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.validation.observed import Observed

__all__ = ["Comparison", "Row", "judge"]


@dataclass(frozen=True)
class Row:
    """One figure: its values per repetition and per seed, and whether they agree."""

    key: Key
    kernel: tuple[float, ...]
    simulated: tuple[float, ...]
    low: float | None
    """The lowest mean of the simulator that holds; None without a bar."""
    high: float | None
    interval: tuple[float, float] | None = None
    """Simulator less kernel: the 95 % interval of the difference of means.

    None: too few runs, or none differs from another.
    """
    room: float | None = None
    """Largest allowed difference, in the measure's unit; None without a bar."""

    @property
    def kernel_mean(self) -> float | None:
        """Mean over the repetitions."""
        return sum(self.kernel) / len(self.kernel) if self.kernel else None

    @property
    def simulated_mean(self) -> float | None:
        """Mean over the seeds."""
        return sum(self.simulated) / len(self.simulated) if self.simulated else None

    @property
    def difference(self) -> float | None:
        """Simulator less kernel, in the measure's unit."""
        kernel, simulated = self.kernel_mean, self.simulated_mean
        return None if kernel is None or simulated is None else simulated - kernel

    @property
    def is_barred(self) -> bool:
        """Whether the figure has a bar."""
        return self.low is not None

    @property
    def deviation(self) -> float | None:
        """Return the difference over the allowed one: from -1 to 1 the bar holds.

        None without bar, or if one side has no value.
        """
        kernel, difference = self.kernel_mean, self.difference
        if self.low is None or self.high is None or kernel is None or difference is None:
            return None
        room = self.high - kernel if difference > 0 else kernel - self.low
        return 0.0 if difference == 0 else difference / room if room > 0 else float("inf")

    @property
    def is_within(self) -> bool:
        """Whether the simulator's mean lies within the kernel's repetitions, widened by the bar."""
        deviation = self.deviation
        return deviation is not None and abs(deviation) <= 1.0 + 1e-9

    @property
    def is_chance(self) -> bool:
        """Whether the miss can be chance: enough runs, and an interval that reaches the bar."""
        if not self.is_barred or self.is_within or self.interval is None or self.room is None:
            return False
        if min(len(self.kernel), len(self.simulated)) < ENOUGH:
            return False
        low, high = self.interval
        return low <= self.room and high >= -self.room

    @property
    def holds(self) -> bool | None:
        """Whether the bar holds; None: there is none.

        A figure that only the kernel shows is a miss.
        """
        return self.is_within or self.is_chance if self.is_barred else None

    @property
    def bar(self) -> str:
        """The bar in words."""
        return BARS[self.key.measure].text if self.is_barred else ""


@dataclass(frozen=True)
class Comparison:
    """One scenario: its description, both sides' runs, and the rows of its table."""

    name: str
    description: str
    kernel: tuple[Observed, ...]
    simulated: tuple[Observed, ...]
    rows: tuple[Row, ...]
    disturbed: tuple[Observed, ...] = ()
    """The kernel's runs whose timing was disturbed: left out, unless there are no others."""

    @property
    def is_left_out(self) -> bool:
        """Whether disturbed runs of the kernel were left out."""
        return bool(self.disturbed) and not any(run.disturbed for run in self.kernel)

    @property
    def is_one_run(self) -> bool:
        """Whether all seeds give the same run: nothing in the scenario is left to chance."""
        figures = {row.simulated for row in self.rows}
        return len(self.simulated) > 1 and all(
            len(values) == len(self.simulated) and min(values) == max(values)
            for values in figures
            if values
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
        return sorted(
            missed,
            key=lambda row: -abs(row.deviation) if row.deviation is not None else float("-inf"),
        )

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
                    "low": row.low,
                    "high": row.high,
                    "interval": None if row.interval is None else list(row.interval),
                    "chance": row.is_chance,
                    "holds": row.holds,
                }
                for row in self.rows
            ],
        }


def judge(
    name: str, description: str, kernel: Sequence[Observed], simulated: Sequence[Observed]
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
    left, right = [measure(run) for run in kernel], [measure(run) for run in simulated]
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
        low, high = (bounds(key, values, sent) if is_judged else None) or (None, None)
        interval = difference_of_means(simulated_values, values)
        rows.append(
            Row(
                key,
                values,
                simulated_values,
                low,
                high,
                interval,
                room(key, values, sent) if low is not None else None,
            )
        )
    return Comparison(
        name, description, tuple(kernel), tuple(simulated), tuple(rows), tuple(disturbed)
    )


def _firsts(runs: Sequence[Observed]) -> dict[str, int]:
    found = [order[0] for run in runs if (order := run.order)]
    return {name: found.count(name) for name in sorted(set(found))}


def _place(key: Key, sides: Sequence[dict[Key, float]]) -> int:
    """Position of the key in the fullest list that has it."""
    return max(list(figures).index(key) for figures in sides if key in figures)
