"""Checks before anything runs that every name in a study exists."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ackclock.messages import did_you_mean
from ackclock.scenario.errors import ScenarioError
from ackclock.studies.tools.trial import has_only, there_is_only, try_out, without_runs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ackclock.studies.claim import Criterion
    from ackclock.studies.reading import Reading
    from ackclock.studies.results import Results
    from ackclock.studies.study import Study
    from ackclock.sweeps.axes import Axis
    from ackclock.sweeps.design import Design

__all__ = ["Problem", "problems_of"]

_DOCS = Path(__file__).parents[4] / "docs"


@dataclass(frozen=True)
class Problem:
    """A problem of a study."""

    where: str
    """The claim, figure, reading, item, experiment or recording: `claim V-1`."""
    experiment: str
    """The experiment of the problem; "" if it has none."""
    key: str
    """The faulty part: `response`, `at.buffer`, a key of the file; "" for all of it."""
    text: str
    """The fault, with the nearest valid name."""

    def __str__(self) -> str:
        """Return the problem in one line."""
        named = (
            f"experiment '{self.experiment}'"
            if self.experiment and self.experiment not in self.where
            else ""
        )
        return ": ".join(part for part in (self.where, named, self.key, self.text) if part)


def problems_of(
    study: Study, *, settings: bool = True, figures: bool = True, whole: Study | None = None
) -> list[Problem]:
    """Return all problems of a study that can be known before anything runs.

    Parameters
    ----------
    study
        Study whose experiments, criteria, readings, figures, items and files are checked.
    settings
        Whether to make every setting of every experiment, in full and quick, which takes many
        seconds for thousands of flows. A run makes them itself, before its first experiment.
    figures
        Whether to draw figures and tables with made-up values, which takes a fraction of a second
        each.
    whole
        The study that this is a part of. Readings may hold axes of experiments that the part lacks.
    """
    problems, designs = _experiments(study, settings=settings)
    problems += _recordings(study)
    problems += _outside(study, designs)
    problems += _items(study)
    problems += _bibtex(study)
    are_all_there = len(designs) == len(study.experiments)
    every = designs if whole is None else _experiments(whole, settings=False)[1]
    wrong_readings = list(_readings(study, every)) if are_all_there else []
    problems += wrong_readings
    results = without_runs(study, designs)
    under = [results.under(reading.name) for reading in study.readings] or [results]
    for statement in study.statements:
        kind = "claim" if statement in study.claims else "question"
        where = f"{kind} {statement.id}"
        named = list(_criterion(where, statement.criterion, designs))
        problems += named
        if named or not set(statement.criterion.experiments) <= {
            *designs,
            *(recording.name for recording in study.recordings),
        }:
            continue
        wrong = _asked_in_vain(statement.criterion, under)
        wrong = wrong or ("" if wrong_readings else _emptiness(statement.criterion, results))
        problems += [Problem(where, "", "", wrong)] if wrong else []
    if figures and are_all_there:
        for figure in study.figures:
            problems += (
                [Problem(f"figure {figure.id}", "", "", wrong)]
                if (wrong := try_out(figure.draw, results))
                else []
            )
        for table in study.tables:
            problems += (
                [Problem(f"table {table.id}", "", "", wrong)]
                if (wrong := try_out(table.make, results))
                else []
            )
    return problems


def _asked_in_vain(criterion: Criterion, under: Sequence[Results]) -> str:
    """Find what a criterion asks for in vain, under every reading that affects it."""
    from ackclock.studies.rules import All

    if isinstance(criterion, All):
        return next(filter(None, (_asked_in_vain(part, under) for _, part in criterion.parts)), "")
    if not criterion.experiments:
        # A criterion on formulas alone is not computed here, because that may take long.
        return ""
    first, *others = under
    sweeps = [name for name in criterion.experiments if name in first.sweeps]
    touching = [
        results for results in others if any(first.differs(name, results) for name in sweeps)
    ]
    return next(
        filter(None, (try_out(criterion.judge, results) for results in (first, *touching))), ""
    )


def _emptiness(criterion: Criterion, results: Results) -> str:
    """Return the fault that a criterion is left without any setting of a full run, or ""."""
    if not criterion.experiments or not type(criterion).__module__.startswith(
        "ackclock.studies.criteria"
    ):
        return ""
    try:
        is_empty = not criterion.judge(results).evidence
    except Exception:
        # The values are made up: a slope of them may be anything.
        return ""
    under = f" under reading '{results.reading.name}'" if results.reading is not None else ""
    return (
        f"no setting of its experiment is left to look at{under}: what it holds excludes one "
        "another"
        if is_empty
        else ""
    )


def _experiments(study: Study, *, settings: bool) -> tuple[list[Problem], dict[str, Design]]:
    """Return the designs in full and make their settings if asked; a failure is a problem."""
    from ackclock.scenario import load
    from ackclock.studies.running import designs
    from ackclock.sweeps.making import read_design

    problems, known = [], {}
    for experiment in study.experiments:
        where = f"experiment '{experiment.name}'"
        if not (study.folder / experiment.file).is_file():
            near = did_you_mean(
                experiment.file, [path.name for path in study.folder.glob("*.toml")]
            )
            problems.append(
                Problem(
                    where,
                    experiment.name,
                    "file",
                    f"there is no {experiment.file} in {study.folder}{near}",
                )
            )
            continue
        try:
            known[experiment.name] = read_design(load(study.folder / experiment.file))
            alone = _only(study, experiment.name)
            if settings:
                known[experiment.name] = designs(alone, quick=False)[experiment.name]
        except ScenarioError as error:
            problems.append(Problem(where, experiment.name, _place(error), error.message))
            continue
        wrong = _quick(experiment.quick, known[experiment.name])
        if not wrong and settings:
            try:
                designs(alone, quick=True)
            except ScenarioError as error:
                wrong = [("", f"{_place(error)}: {error.message}")]
            except ValueError as error:
                wrong = [("", str(error))]
        problems += [Problem(where, experiment.name, f"quick{key}", text) for key, text in wrong]
    return problems, known


def _only(study: Study, name: str) -> Any:
    """Stands in for a study of one experiment."""
    from types import SimpleNamespace

    return SimpleNamespace(
        folder=study.folder,
        experiments=[experiment for experiment in study.experiments if experiment.name == name],
    )


def _place(error: ScenarioError) -> str:
    return " ".join(
        part for part in (Path(error.file).name if error.file else "", error.key) if part
    )


def _quick(quick: Mapping[str, Any], design: Design) -> list[tuple[str, str]]:
    """Find names of a quick run's axes and labels that the experiment lacks."""
    axes = {axis.name: axis for axis in design.axes}
    wrong = []
    for name, kept in quick.get("axes", {}).items():
        if name not in axes:
            wrong.append((".axes", there_is_only("axis", name, axes)))
            continue
        missing = [label for label in kept if label not in axes[name].labels]
        wrong += [
            (f".axes.{name}", has_only(f"axis '{name}'", "value", label, axes[name].labels))
            for label in missing
        ]
        if not kept:
            wrong.append((f".axes.{name}", "no value is kept"))
    seeds = quick.get("replications", 1)
    if isinstance(seeds, int) and seeds > design.replications:
        wrong.append(
            (".replications", f"{seeds} are more than the {design.replications} of the full run")
        )
    return wrong


def _recordings(study: Study) -> Iterator[Problem]:
    from ackclock.scenario import load

    for recording in study.recordings:
        where = f"recording '{recording.name}'"
        if not (study.folder / recording.file).is_file():
            near = did_you_mean(recording.file, [path.name for path in study.folder.glob("*.toml")])
            yield Problem(
                where, "", "file", f"there is no {recording.file} in {study.folder}{near}"
            )
            continue
        for name in recording.quick or ():
            if name not in recording.variants:
                yield Problem(
                    where, "", "quick", there_is_only("variant", name, recording.variants)
                )
        try:
            base = load(study.folder / recording.file)
        except ScenarioError as error:
            yield Problem(where, "", _place(error), error.message)
            continue
        for name, changes in recording.variants.items():
            try:
                (base.replace(changes) if changes else base).plan()
            except ScenarioError as error:
                yield Problem(where, "", f"variants '{name}' {error.key}".strip(), error.message)


def _criterion(
    where: str, criterion: Criterion, designs: Mapping[str, Design]
) -> Iterator[Problem]:
    """Find names in the fields of the common criteria that nothing has."""
    from ackclock.studies.rules import All

    if isinstance(criterion, All):
        for name, part in criterion.parts:
            yield from _criterion(f"{where} ({name})", part, designs)
        return
    experiment = getattr(criterion, "experiment", None)
    if not type(criterion).__module__.startswith("ackclock.studies.criteria") or not isinstance(
        experiment, str
    ):
        return
    if experiment not in designs:
        return
    design = designs[experiment]
    axes = {axis.name: axis for axis in design.axes}
    responses = [response.name for response in design.responses]
    given: dict[str, Any] = {
        field.name: getattr(criterion, field.name) for field in fields(cast("Any", criterion))
    }
    for key in ("response", "over", "under"):
        if key in given and given[key] not in responses:
            yield Problem(where, experiment, key, there_is_only("response", given[key], responses))
    for key in ("axis", "along"):
        if given.get(key) and given[key] not in axes:
            yield Problem(where, experiment, key, there_is_only("axis", given[key], axes))
    for key in ("value", "base"):
        if key in given and given.get("axis") in axes:
            yield from _labels(where, experiment, key, given[key], axes[given["axis"]])
    for name, wanted in given.get("at", {}).items():
        if name not in axes:
            yield Problem(where, experiment, "at", there_is_only("axis", name, axes))
        else:
            yield from _labels(where, experiment, f"at.{name}", wanted, axes[name])
    along = axes.get(given.get("along", ""))
    law = given.get("law")
    if along is not None and isinstance(law, Mapping):
        yield from _labels(where, experiment, "law", list(law), along)
    elif along is not None and along.numbers is None:
        yield Problem(
            where,
            experiment,
            "along",
            f"axis '{along.name}' has words for values, and a slope or a law needs numbers",
        )
    ends = [given[key] for key in ("lowest", "highest") if isinstance(given.get(key), int | float)]
    if len(ends) == 2 and (ends[0] > ends[1] or any(map(math.isnan, ends))):
        yield Problem(
            where,
            experiment,
            "lowest",
            f"{ends[0]:g} is above highest, {ends[1]:g}: nothing can lie between them",
        )


def _labels(where: str, experiment: str, key: str, wanted: Any, axis: Axis) -> Iterator[Problem]:
    for label in wanted if isinstance(wanted, list | tuple | set) else [wanted]:
        if label not in axis.labels:
            text = has_only(f"axis '{axis.name}'", "value", label, axis.labels)
            alike = [known for known in axis.labels if str(known) == str(label)]
            if alike:
                text = (
                    f"{label!r} is text where axis '{axis.name}' has the number {alike[0]!r}"
                    if isinstance(label, str)
                    else (
                        f"{label!r} is a number where axis '{axis.name}' has the text {alike[0]!r}"
                    )
                )
            yield Problem(where, experiment, key, text)


def _readings(study: Study, designs: Mapping[str, Design]) -> Iterator[Problem]:
    for reading in study.readings:
        where = f"reading '{reading.name}'"
        for name, wanted in reading.settings.items():
            having = {
                experiment: axis
                for experiment, design in designs.items()
                for axis in design.axes
                if axis.name == name
            }
            if not having:
                every = dict.fromkeys(
                    axis.name for design in designs.values() for axis in design.axes
                )
                yield Problem(where, "", "settings", there_is_only("axis", name, every))
                continue
            yield from _settings(where, name, wanted, having)
        yield from _responses(where, reading, designs)


def _settings(where: str, name: str, wanted: Any, having: Mapping[str, Axis]) -> Iterator[Problem]:
    """Check that each label of a reading is one of the axis in some experiment."""
    known = list(dict.fromkeys(label for axis in having.values() for label in axis.labels))
    if isinstance(wanted, Mapping):
        labels = [label for pair in wanted.items() for label in pair]
    else:
        labels = list(wanted) if isinstance(wanted, list | tuple | set) else [wanted]
    missing = [label for label in labels if label not in known]
    for label in missing:
        yield Problem(
            where, "", f"settings.{name}", has_only(f"axis '{name}'", "value", label, known)
        )
    if isinstance(wanted, Mapping) and not missing:
        for here, there in wanted.items():
            if not any({here, there} <= set(axis.labels) for axis in having.values()):
                yield Problem(
                    where, "", f"settings.{name}", f"no experiment has both '{here}' and '{there}'"
                )


def _responses(where: str, reading: Reading, designs: Mapping[str, Design]) -> Iterator[Problem]:
    sets = [{response.name for response in design.responses} for design in designs.values()]
    every = sorted(set().union(*sets))
    for name, other in reading.responses.items():
        missing = [response for response in (name, other) if response not in every]
        for response in missing:
            yield Problem(where, "", "responses", there_is_only("response", response, every))
        if not missing and not any({name, other} <= names for names in sets):
            yield Problem(where, "", "responses", f"no experiment has both '{name}' and '{other}'")


def _outside(study: Study, designs: Mapping[str, Design]) -> Iterator[Problem]:
    from ackclock.studies.outside import read_outside

    for source in study.outside:
        where = f"runs of {source.name}"
        if not (study.folder / source.file).is_file():
            yield Problem(
                where, source.experiment, "file", f"there is no {source.file} in {study.folder}"
            )
            continue
        try:
            rows = read_outside(study.folder / source.file).rows
        except ValueError as error:
            yield Problem(where, source.experiment, source.file, str(error))
            continue
        design = designs.get(source.experiment)
        if design is None:
            continue
        axes = {axis.name: axis for axis in design.axes}
        names = [*axes, *(response.name for response in design.responses)]
        keys = [key for key in dict.fromkeys(key for row in rows for key in row) if key != "seed"]
        for key in keys:
            if key in axes:
                for label in dict.fromkeys(row[key] for row in rows if key in row):
                    yield from _labels(
                        where, source.experiment, f"{source.file} {key}", label, axes[key]
                    )
            # Another simulator may have more columns; the nearest to a missing name is that
            # name, misspelt.
            elif key not in names and did_you_mean(
                key, [name for name in names if name not in keys]
            ):
                yield Problem(
                    where,
                    source.experiment,
                    source.file,
                    there_is_only("axis or response", key, names),
                )
        if not set(keys) & {response.name for response in design.responses}:
            yield Problem(
                where,
                source.experiment,
                source.file,
                f"no row has a response: {', '.join(names[len(axes) :])}",
            )


def _items(study: Study) -> Iterator[Problem]:
    for item in study.items:
        where = f"item '{item.paper}: {item.text}'"
        for name in item.where:
            kind, colon, rest = name.partition(":")
            if not colon:
                continue
            known = _known(kind)
            if kind == "docs" and not _DOCS.is_dir():
                # Installed without the project's pages.
                continue
            if known is None:
                yield Problem(
                    where, "", "where", f"'{name}': {there_is_only('kind', kind, _KINDS)}"
                )
            elif kind in {"cc", "metric"}:
                wrong = _wrong_cc(rest, known) if kind == "cc" else _wrong_metric(rest, study)
                if wrong:
                    yield Problem(where, "", "where", wrong)
            elif (
                rest.partition("#")[0] if kind == "docs" else rest.partition("(")[0]
            ) not in known:
                yield Problem(where, "", "where", f"'{name}': {there_is_only(kind, rest, known)}")


_KINDS = ("cc", "qdisc", "theory", "metric", "docs")


def _known(kind: str) -> list[str] | None:
    """Return the names of a kind of thing, or None if there is no such kind."""
    if kind == "cc":
        from ackclock import _core

        return [entry["name"] for entry in _core.list_cc()]
    if kind == "qdisc":
        from ackclock.scenario.qdisc import QDISCS

        return list(QDISCS)
    if kind == "theory":
        from ackclock import theory

        return list(theory.__all__)
    if kind == "metric":
        from ackclock.metrics import METRICS

        return list(METRICS)
    return (
        [path.relative_to(_DOCS).as_posix() for path in sorted(_DOCS.rglob("*.md"))]
        if kind == "docs"
        else None
    )


def _wrong_cc(name: str, known: list[str]) -> str:
    """Return the fault of a name such as `reno`, `cos+reno` or `cubic(beta=0.8)`, or ""."""
    if name.startswith("python:"):
        return ""
    for part in name.split("+"):
        base = part.partition("(")[0].strip()
        if base not in known:
            return (
                f"'cc:{name}': there is no cc '{base}'{did_you_mean(base, known)} (all of them: "
                "ackclock list cc)"
            )
    return ""


def _wrong_metric(name: str, study: Study) -> str:
    """Return the fault of a metric's name such as `rtt.p95` or `python:mine:starved`, or ""."""
    from ackclock.metrics import MetricError, UnknownMetricError, find_metric

    try:
        find_metric(name, study.folder)
    except (UnknownMetricError, MetricError) as error:
        return f"'metric:{name}': {error}"
    return ""


def _bibtex(study: Study) -> Iterator[Problem]:
    entry = study.bibtex.strip()
    if not entry:
        return
    if not entry.startswith("@") or "{" not in entry:
        yield Problem(
            "bibtex",
            "",
            "",
            "an entry begins with its kind: @article{name2024, author = {...}, ...}",
        )
    elif entry.count("{") != entry.count("}"):
        yield Problem(
            "bibtex", "", "", f"{entry.count('{')} braces open, and {entry.count('}')} close"
        )
