"""A paper, executed: its experiments, claims, questions, figures and tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ackclock.studies.claim import Claim, Question
    from ackclock.studies.item import Item
    from ackclock.studies.outside import Outside
    from ackclock.studies.reading import Reading
    from ackclock.studies.results import Results
    from ackclock.tables.table import Table
    from ackclock.views.figure import PaperFigure

__all__ = ["Experiment", "Figure", "Recording", "Study", "TableOf"]


@dataclass(frozen=True)
class Experiment:
    """A sweep of the study."""

    name: str
    file: str
    """TOML with a table [sweep], beside the study."""
    quick: Mapping[str, Any] = field(default_factory=dict)
    """Reductions for quick runs: `replications`, `axes` (name -> the labels kept), dotted keys of
    the scenario (`duration`). Fewer seeds and labels find the full study's runs in the store; a
    changed scenario does not.
    """


@dataclass(frozen=True)
class Recording:
    """Single runs recorded for their time series.

    The store does not keep them, so they should take only seconds.
    """

    name: str
    file: str
    """TOML of the scenario, beside the study."""
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: {"run": {}})
    """Changed dotted keys by the name of the run."""
    quick: tuple[str, ...] | None = None
    """Variants that quick runs make; None: all."""


@dataclass(frozen=True)
class Figure:
    """A figure, of the paper or added by the study."""

    id: str
    title: str
    caption: str
    draw: Callable[[Results], PaperFigure]
    experiments: tuple[str, ...] = ()
    """Names of the experiments and recordings behind the figure; empty: formulas alone."""
    printed: str = ""
    """Content of the paper's own figure with its numbers, in a sentence."""


@dataclass(frozen=True)
class TableOf:
    """A table, of the paper or added by the study."""

    id: str
    title: str
    caption: str
    make: Callable[[Results], Table]
    experiments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Study:
    """A paper, executed."""

    name: str
    title: str
    paper: str
    """Authors, title, year, simulator."""
    summary: str
    """The paper's proposal, in one or two sentences of the study's author."""
    folder: Path
    """Folder with the files of the experiments."""
    experiments: tuple[Experiment, ...]
    claims: tuple[Claim, ...]
    known: tuple[str, ...]
    """Knowledge of the outcome when criteria, seeds and questions were chosen, a sentence each:
    pilots, earlier runs, changes after a look. It has no default, because an empty list says that
    nothing was known.
    """
    questions: tuple[Question, ...] = ()
    recordings: tuple[Recording, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[TableOf, ...] = ()
    readings: tuple[Reading, ...] = ()
    """Ways to read the settings that the paper leaves open. The first is the most literal one, and
    holds every axis that any of them holds.
    """
    choices: tuple[tuple[str, str], ...] = ()
    """Settings that the paper prints in two ways or not at all, and the choice for all experiments.
    """
    items: tuple[Item, ...] = ()
    """Every system, formula, figure, table, experiment and claim of the paper."""
    outside: tuple[Outside, ...] = ()
    """Runs of other simulators."""
    bibtex: str = ""
    """The paper's BibTeX entry."""

    def __post_init__(self) -> None:
        """Raise StudyError for names that nothing has, before anything runs."""
        known = [
            *(experiment.name for experiment in self.experiments),
            *(recording.name for recording in self.recordings),
        ]
        shown = [figure.id for figure in self.shown]
        said = [statement.id for statement in self.statements]
        for what, names in (("experiment", known), ("figure", shown), ("claim", said)):
            for name in names:
                if names.count(name) > 1:
                    raise ValueError(f"{self.name}: two of its {what}s are called '{name}'")
        self._check_readings()
        for other in self.outside:
            _check(f"{self.name}: {other.name}", "experiment", (other.experiment,), known)
        for item in self.items:
            places = tuple(name for name in item.where if ":" not in name)
            _check(
                f"{self.name}: item '{item.paper}: {item.text}'",
                "place",
                places,
                [*said, *shown, *known],
            )
        for figure in self.shown:
            _check(f"{self.name}: {figure.id}", "experiment", figure.experiments, known)
        for statement in self.statements:
            _check(
                f"{self.name}: {statement.id}", "experiment", statement.criterion.experiments, known
            )
            _check(f"{self.name}: {statement.id}", "figure", statement.figures, shown)

    def _check_readings(self) -> None:
        names = [reading.name for reading in self.readings]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"{self.name}: two of its readings are called '{name}'")
        for reading in self.readings:
            for axis, wanted in reading.settings.items():
                if not isinstance(wanted, Mapping) and axis not in self.readings[0].settings:
                    raise ValueError(
                        f"{self.name}: reading '{reading.name}' holds the axis '{axis}', and the "
                        f"first one, '{names[0]}', does not: it must say what the paper's most "
                        "literal value is"
                    )

    @property
    def statements(self) -> tuple[Claim | Question, ...]:
        """Return claims, then questions."""
        return (*self.claims, *self.questions)

    @property
    def shown(self) -> tuple[Figure | TableOf, ...]:
        """Return figures, then tables."""
        return (*self.figures, *self.tables)


def _check(where: str, what: str, names: tuple[str, ...], known: list[str]) -> None:
    for name in names:
        if name not in known:
            raise ValueError(
                f"{where} names the {what} '{name}', and there is only {', '.join(known)}"
            )
