"""What a study's runs gave, as criteria and figures ask for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ackclock.results import Result
    from ackclock.sweeps import SweepResult

__all__ = ["At", "Results", "Spot"]

At = Mapping[str, Any]
"""Values of axes by their names; a list means several of them."""


@dataclass(frozen=True)
class Spot:
    """A response at one setting."""

    labels: Mapping[str, Any]
    """The setting: labels by axis."""
    values: Mapping[int, float]
    """By seed; runs without a value are left out."""


@dataclass(frozen=True)
class Results:
    """What a study's runs gave."""

    sweeps: Mapping[str, SweepResult]
    """By the experiment's name."""
    runs: Mapping[str, Mapping[str, Result]] = field(default_factory=dict)
    """By the recording's name, then the variant's."""
    quick: bool = False

    def unit(self, experiment: str, response: str) -> str:
        """A response's unit."""
        for each in self.sweeps[experiment].design.responses:
            if each.name == response:
                return each.unit
        known = ", ".join(each.name for each in self.sweeps[experiment].design.responses)
        raise KeyError(f"experiment '{experiment}' has no response '{response}', only {known}")

    def shown_unit(self, experiment: str, response: str) -> str:
        """As `unit`, but "%" for shares, as tables show them."""
        unit = self.unit(experiment, response)
        (metric,) = (each.figure.name for each in self.sweeps[experiment].design.responses if each.name == response)
        return "%" if unit == "1" and metric.endswith(("_rate", "utilisation")) else unit

    def numbers(self, experiment: str, axis: str) -> dict[Any, float]:
        """An axis' values in base units, by label."""
        found = next(each for each in self.sweeps[experiment].design.axes if each.name == axis)
        if found.numbers is None:
            raise KeyError(f"axis '{axis}' of experiment '{experiment}' has no numbers")
        return dict(zip(found.labels, found.numbers, strict=True))

    def spots(self, experiment: str, response: str, at: At | None = None) -> list[Spot]:
        """A response at every setting that `at` leaves, in the order of the settings."""
        self.unit(experiment, response)
        sweep = self.sweeps[experiment]
        names = [axis.name for axis in sweep.design.axes]
        for name, wanted in (at or {}).items():
            axis = next((each for each in sweep.design.axes if each.name == name), None)
            if axis is None:
                raise KeyError(f"experiment '{experiment}' has no axis '{name}', only {', '.join(names)}")
            # A quick run has fewer values; one that it shares with nobody is a slip.
            if not isinstance(wanted, list | tuple | set) and wanted not in axis.labels and not self.quick:
                raise KeyError(f"axis '{name}' of experiment '{experiment}' has no value '{wanted}'")
        found: dict[int, dict[int, float]] = {}
        for setting, seed, value in sweep.runs.select("setting", "seed", response).iter_rows():
            values = found.setdefault(setting, {})
            if value is not None:
                values[seed] = float(value)
        spots = []
        for setting in sweep.design.settings:
            labels = dict(zip(names, setting.labels, strict=True))
            if all(_is(labels[name], wanted) for name, wanted in (at or {}).items()):
                spots.append(Spot(labels, found.get(setting.index, {})))
        return spots

    def left_out(self, experiment: str, at: At) -> list[str]:
        """What of `at` has no runs, since quick runs have fewer values: `cc = bbr`; of a list, if none of it has."""
        labels = {axis.name: axis.labels for axis in self.sweeps[experiment].design.axes}
        found = []
        for name, wanted in at.items():
            several = list(wanted) if isinstance(wanted, list | tuple | set) else [wanted]
            if not any(each in labels[name] for each in several):
                found.append(f"{name} = {', '.join(map(str, several))}")
        return found

    def varied(self, experiment: str) -> list[str]:
        """Names of the axes with several values."""
        return [axis.name for axis in self.sweeps[experiment].design.axes if len(axis.labels) > 1]


def _is(label: Any, wanted: Any) -> bool:
    return label in wanted if isinstance(wanted, list | tuple | set) else label == wanted
