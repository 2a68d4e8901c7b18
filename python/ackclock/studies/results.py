"""Results of a study's runs, as criteria and figures ask for them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ackclock.metrics import range_of
from ackclock.studies.reading import Reading, laid_over

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.results import Result
    from ackclock.sweeps import SweepResult

__all__ = ["At", "Results", "Spot"]

At = Mapping[str, Any]
"""Values of axes by their names; a list means several of them."""


@dataclass(frozen=True)
class Spot:
    """A response at one setting."""

    labels: Mapping[str, Any]
    """Setting: labels by axis."""
    values: Mapping[int, float]
    """Values by seed; runs without a value are left out."""


@dataclass(frozen=True)
class Results:
    """Results of a study's runs under one reading of the paper."""

    sweeps: Mapping[str, SweepResult]
    """Whole sweeps by the experiment's name, independent of the reading."""
    runs: Mapping[str, Mapping[str, Result]] = field(default_factory=dict)
    """Recorded runs by the recording's name, then the variant's."""
    quick: bool = False
    readings: tuple[Reading, ...] = ()
    """All readings of the study; the first is the most literal one."""
    reading: Reading | None = None
    """The reading that `spots` uses."""
    elsewhere: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    """Rows of another simulator by the experiment's name; `spots` uses them in place of ackclock's.
    """

    def under(self, name: str) -> Results:
        """Return these results under the reading called `name`."""
        for reading in self.readings:
            if reading.name == name:
                return replace(self, reading=laid_over(self.readings[0], reading))
        raise KeyError(
            f"there is no reading '{name}', only "
            f"{', '.join(reading.name for reading in self.readings)}"
        )

    def unit(self, experiment: str, response: str) -> str:
        """Return a response's unit."""
        response = self.looked_at(experiment, response)
        for candidate in self.sweeps[experiment].design.responses:
            if candidate.name == response:
                return candidate.unit
        known = ", ".join(candidate.name for candidate in self.sweeps[experiment].design.responses)
        raise KeyError(f"experiment '{experiment}' has no response '{response}', only {known}")

    def shown_unit(self, experiment: str, response: str) -> str:
        """Return the unit that tables show: "%" for shares, otherwise that of `unit`."""
        unit, response = self.unit(experiment, response), self.looked_at(experiment, response)
        (metric,) = (
            candidate.figure.name
            for candidate in self.sweeps[experiment].design.responses
            if candidate.name == response
        )
        return (
            "%"
            if unit == "1" and metric.partition("(")[0].endswith(("_rate", "utilisation"))
            else unit
        )

    def limits(self, experiment: str, response: str) -> tuple[float, float]:
        """Return the smallest and largest value that a response can have, in its unit."""
        response = self.looked_at(experiment, response)
        (metric,) = (
            candidate.figure
            for candidate in self.sweeps[experiment].design.responses
            if candidate.name == response
        )
        return range_of(metric)

    def numbers(self, experiment: str, axis: str) -> dict[Any, float]:
        """Return an axis' values in base units, by label."""
        chosen = next(
            candidate for candidate in self.sweeps[experiment].design.axes if candidate.name == axis
        )
        if chosen.numbers is None:
            raise KeyError(f"axis '{axis}' of experiment '{experiment}' has no numbers")
        numbers = dict(zip(chosen.labels, chosen.numbers, strict=True))
        # Another simulator may have run settings that ackclock's quick runs leave out.
        others = (row.get(axis) for row in self.elsewhere.get(experiment, ()))
        factor = _factor(numbers)
        return {
            **{
                label: factor * label
                for label in others
                if factor is not None and isinstance(label, int | float)
            },
            **numbers,
        }

    def recorded(
        self, recording: str, figure: str, of_run: Callable[[Result, str], float | None]
    ) -> dict[str, list[float]]:
        """Return a figure of a recording's runs.

        Parameters
        ----------
        recording
            Its name.
        figure
            Name of the figure in the rows of another simulator.
        of_run
            Computes the figure from a run of ackclock and its variant's name.

        Returns
        -------
        dict
            By variant: the figure of ackclock's one run, or of each run of the other simulator;
            runs without the figure are left out.
        """
        if recording not in self.elsewhere:
            ours = ((name, of_run(run, name)) for name, run in self.runs[recording].items())
            return {name: [value] for name, value in ours if value is not None}
        values: dict[str, list[float]] = {}
        for row in self.elsewhere[recording]:
            if row.get(figure) is not None:
                values.setdefault(row["run"], []).append(float(row[figure]))
        return values

    def looked_at(self, experiment: str, response: str) -> str:
        """Return the response that replaces this one under the reading, if there is one."""
        other = (
            self.reading.responses.get(response, response) if self.reading is not None else response
        )
        known = [candidate.name for candidate in self.sweeps[experiment].design.responses]
        return other if other in known else response

    def spots(self, experiment: str, response: str, at: At | None = None) -> list[Spot]:
        """Return a response at every setting that `at` and the reading leave, in order.

        The reading does not hold an axis that `at` names. A label that replaces another under the
        reading is shown by the name of the replaced one.
        """
        self.unit(experiment, response)
        response = self.looked_at(experiment, response)
        given = dict(at or {})
        self._check(experiment, given)
        held, swaps = self._held(experiment, given)
        spots = []
        for labels, values in self._all(experiment, response):
            shown = {name: swaps.get(name, {}).get(label, label) for name, label in labels.items()}
            kept = all(_is(shown[name], wanted) for name, wanted in held.items() if name in shown)
            if kept and not any(label is _REPLACED for label in shown.values()):
                spots.append(Spot(shown, values))
        if swaps:
            # A label that replaces another takes its place in the order.
            places = self._places(experiment)
            spots.sort(
                key=lambda spot: tuple(
                    places[name].get(label, 0)
                    for name, label in spot.labels.items()
                    if name in places
                )
            )
        return spots

    def left_out(self, experiment: str, at: At) -> list[str]:
        """Return the labels of `at` and of the reading that quick runs leave out: `cc = bbr`.

        A list counts as left out if no label of it was run.
        """
        labels = {axis.name: axis.labels for axis in self.sweeps[experiment].design.axes}
        held, swaps = self._held(experiment, at)
        missing = []
        for name, wanted in held.items():
            several = list(wanted) if isinstance(wanted, list | tuple | set) else [wanted]
            back = {
                shown: label
                for label, shown in swaps.get(name, {}).items()
                if shown is not _REPLACED
            }
            if not any(back.get(label, label) in labels[name] for label in several):
                missing.append(f"{name} = {', '.join(map(str, several))}")
        return missing

    def varied(self, experiment: str) -> list[str]:
        """Return the names of the axes with several values under the reading."""
        held = self._held(experiment, {})[0]
        axes = self.sweeps[experiment].design.axes
        return [
            axis.name
            for axis in axes
            if len(
                [
                    label
                    for label in axis.labels
                    if axis.name not in held or _is(label, held[axis.name])
                ]
            )
            > 1
        ]

    def differs(self, experiment: str, other: Results) -> bool:
        """Return whether another reading looks at other settings or responses of an experiment."""
        known = [response.name for response in self.sweeps[experiment].design.responses]
        looks = [
            [results.looked_at(experiment, name) for name in known] for results in (self, other)
        ]
        return self._held(experiment, {}) != other._held(experiment, {}) or looks[0] != looks[1]

    def _check(self, experiment: str, at: At) -> None:
        axes = {axis.name: axis for axis in self.sweeps[experiment].design.axes}
        for name, wanted in at.items():
            if name not in axes:
                raise KeyError(
                    f"experiment '{experiment}' has no axis '{name}', only {', '.join(axes)}"
                )
            # Quick runs have fewer values; a value that no run of the experiment has is a mistake.
            if (
                not isinstance(wanted, list | tuple | set)
                and wanted not in axes[name].labels
                and not self.quick
            ):
                raise KeyError(
                    f"axis '{name}' of experiment '{experiment}' has no value '{wanted}'"
                )

    def _held(self, experiment: str, at: At) -> tuple[dict[str, Any], dict[str, dict[Any, Any]]]:
        """Return the labels at which axes are held, and by axis the shown name of each label.

        The name is the label's own, another's, or `_REPLACED`.
        """
        held, swaps = dict(at), {}
        axes = {axis.name for axis in self.sweeps[experiment].design.axes}
        for name, wanted in (self.reading.settings if self.reading is not None else {}).items():
            if name not in axes:
                continue
            if isinstance(wanted, Mapping):
                shown: dict[Any, Any] = dict.fromkeys(wanted, _REPLACED)
                shown.update({there: here for here, there in wanted.items()})
                swaps[name] = shown
            elif name not in held:
                held[name] = wanted
        return held, swaps

    def _all(self, experiment: str, response: str) -> list[tuple[dict[str, Any], dict[int, float]]]:
        """Return labels and values by seed at each setting, of ackclock or the other simulator."""
        sweep = self.sweeps[experiment]
        names = [axis.name for axis in sweep.design.axes]
        if experiment in self.elsewhere:
            return _gathered(self.elsewhere[experiment], names, response)
        by_setting: dict[int, dict[int, float]] = {}
        for setting, seed, value in sweep.runs.select("setting", "seed", response).iter_rows():
            values = by_setting.setdefault(setting, {})
            if value is not None:
                values[seed] = float(value)
        return [
            (dict(zip(names, setting.labels, strict=True)), by_setting.get(setting.index, {}))
            for setting in sweep.design.settings
        ]

    def _places(self, experiment: str) -> dict[str, dict[Any, int]]:
        return {
            axis.name: {label: at for at, label in enumerate(axis.labels)}
            for axis in self.sweeps[experiment].design.axes
        }


def _factor(numbers: Mapping[Any, float]) -> float | None:
    """Return the factor from an axis' numbers to base units, 0.001 for ms; None without one."""
    factors = [
        number / label
        for label, number in numbers.items()
        if isinstance(label, int | float) and label
    ]
    if not factors or any(not math.isclose(factor, factors[0], rel_tol=1e-9) for factor in factors):
        return None
    return factors[0]


_REPLACED = object()
"""Marks a label that another one replaces."""


def _gathered(
    rows: Sequence[Mapping[str, Any]], names: Sequence[str], response: str
) -> list[tuple[dict[str, Any], dict[int, float]]]:
    by_labels: dict[tuple[Any, ...], dict[int, float]] = {}
    there = [name for name in names if any(name in row for row in rows)]
    for row in rows:
        if response in row:
            # A run in which the event never happened has no value, but it is a run.
            values = by_labels.setdefault(tuple(row.get(name) for name in there), {})
            if row[response] is not None:
                values[int(row["seed"])] = float(row[response])
    return [(dict(zip(there, labels, strict=True)), values) for labels, values in by_labels.items()]


def _is(label: Any, wanted: Any) -> bool:
    return label in wanted if isinstance(wanted, list | tuple | set) else label == wanted
