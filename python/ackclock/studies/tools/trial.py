"""Tries a study's rules and figures on made-up results, before anything runs.

Every experiment, axis, label and response is the design's own; only the values are made up. A wrong
name is thus found in a second, also inside functions, where no check of a criterion's fields could
see it.
"""

from __future__ import annotations

import random
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ackclock.errors import Error
from ackclock.messages import did_you_mean
from ackclock.studies.results import Results

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ackclock.studies.study import Study
    from ackclock.sweeps.design import Design

__all__ = ["UnknownNameError", "has_only", "there_is_only", "try_out", "without_runs"]

_MOST_SEEDS = 4
_MOST_NAMES = 12


class UnknownNameError(Error, KeyError):
    """A study's rule or figure asks for a name that nothing has."""

    kind = "unknown-name"

    def __str__(self) -> str:
        """Return the message without the quotation marks of a KeyError."""
        return str(self.args[0])


class _RecordedRunError(Exception):
    """A rule or figure looks at a recorded run, which does not exist yet."""


def there_is_only(what: str, name: Any, known: Iterable[Any]) -> str:
    """`there is no axis 'bufer', only buffer, cc; did you mean 'buffer'?`."""
    return f"there is no {what} '{name}', {_only(name, known)}"


def has_only(owner: str, what: str, name: Any, known: Iterable[Any]) -> str:
    """`axis 'cc' has no value 'vegass', only reno, vegas; did you mean 'vegas'?`."""
    return f"{owner} has no {what} '{name}', {_only(name, known)}"


def _only(name: Any, known: Iterable[Any]) -> str:
    names = [str(label) for label in known]
    shown = ", ".join(names[:_MOST_NAMES]) + (", ..." if len(names) > _MOST_NAMES else "")
    return f"{f'only {shown}' if names else 'nor any other'}{did_you_mean(name, names)}"


class _Named(dict[str, Any]):
    """Things by name; a missing name raises an error with the nearest one."""

    def __init__(self, what: str, items: Mapping[str, Any], owner: str = "") -> None:
        super().__init__(items)
        self._what = what
        self._owner = owner

    def __missing__(self, name: str) -> Any:
        raise UnknownNameError(
            has_only(self._owner, self._what, name, self)
            if self._owner
            else there_is_only(self._what, name, self)
        )


class _Unmade:
    """Stands in for a recorded run; any access raises an error."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise _RecordedRunError


@dataclass(frozen=True)
class _Asked(Results):
    """Made-up results that answer a wrong name with the nearest one."""

    def unit(self, experiment: str, response: str) -> str:
        known = [candidate.name for candidate in self.sweeps[experiment].design.responses]
        if self.looked_at(experiment, response) not in known:
            raise UnknownNameError(
                f"experiment '{experiment}': {there_is_only('response', response, known)}"
            )
        return super().unit(experiment, response)

    def limits(self, experiment: str, response: str) -> tuple[float, float]:
        self.unit(experiment, response)
        return super().limits(experiment, response)

    def numbers(self, experiment: str, axis: str) -> dict[Any, float]:
        known = [candidate.name for candidate in self.sweeps[experiment].design.axes]
        if axis not in known:
            raise UnknownNameError(
                f"experiment '{experiment}': {there_is_only('axis', axis, known)}"
            )
        try:
            return super().numbers(experiment, axis)
        except KeyError as error:
            raise UnknownNameError(str(error.args[0])) from None

    def under(self, name: str) -> Results:
        known = [reading.name for reading in self.readings]
        if name not in known:
            raise UnknownNameError(there_is_only("reading", name, known))
        return super().under(name)

    def _check(self, experiment: str, at: Mapping[str, Any]) -> None:
        axes = {axis.name: axis for axis in self.sweeps[experiment].design.axes}
        for name, wanted in at.items():
            if name not in axes:
                raise UnknownNameError(
                    f"experiment '{experiment}': {there_is_only('axis', name, axes)}"
                )
            several = list(wanted) if isinstance(wanted, list | tuple | set) else [wanted]
            # Of several labels the existing ones are looked at.
            if several and not any(label in axes[name].labels for label in several):
                problem = has_only(f"axis '{name}'", "value", several[0], axes[name].labels)
                raise UnknownNameError(f"experiment '{experiment}': {problem}")


def without_runs(study: Study, designs: Mapping[str, Design]) -> Results:
    """Return results as a study's rules and figures would get them, with made-up values.

    Parameters
    ----------
    study
        Whose.
    designs
        Its experiments in full.
    """
    from ackclock.sweeps.result import SweepResult

    sweeps = {name: SweepResult.of(design, _made_up(design)) for name, design in designs.items()}
    runs = {
        recording.name: _Named(
            "variant",
            {name: _Unmade() for name in recording.variants},
            f"recording '{recording.name}'",
        )
        for recording in study.recordings
    }
    first = study.readings[0] if study.readings else None
    return _Asked(
        _Named("experiment", sweeps),
        _Named("recording", runs),
        readings=study.readings,
        reading=first,
    )


def _made_up(design: Design) -> dict[tuple[int, int], Any]:
    from ackclock.metrics import range_of
    from ackclock.sweeps.running import Row

    draw = random.Random(1)
    tops = {response.name: range_of(response.figure)[1] for response in design.responses}
    rows = {}
    for setting in design.settings:
        for replication in range(min(design.replications, _MOST_SEEDS)):
            figures = {
                name: (0.5 if top <= 1.0 else 2.0) * draw.uniform(0.9, 1.1)
                for name, top in tops.items()
            }
            place = (setting.index, replication)
            rows[place] = Row(
                f"{setting.index}-{replication}", design.seed(replication), f"{place}", figures
            )
    return rows


def try_out(function: Callable[[Results], Any], results: Results) -> str:
    """Return a sentence on the name that a rule or a figure asks for in vain, or "".

    Any other error comes from the made-up values and says nothing about the study.
    """
    import polars as pl

    from ackclock.plot_data.sweep.layout import ViewError

    try:
        with warnings.catch_warnings(action="ignore"):
            function(results)
    except (UnknownNameError, ViewError) as error:
        return str(error)
    except pl.exceptions.ColumnNotFoundError as error:
        return f"its runs have no such column: {str(error).splitlines()[0]}"
    except Exception:
        return ""
    return ""
