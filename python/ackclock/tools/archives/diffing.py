"""Compares two results of a kind: verdicts, sentences, numbers.

The parts of each are compared by their names: claims of a study, settings of a sweep, flows and
links of a run, rows of a dossier, checks of golden cells.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NotRequired

from typing_extensions import TypedDict

from ackclock.atomic_io import read_json, read_table, without_links
from ackclock.atomic_io.reading import JSON, DamagedError, parse_json, shaped
from ackclock.messages import said
from ackclock.studies.tools.exporting import Case, cases_of, headline_of
from ackclock.tools.archives.archive import OF_STUDIES, ArchiveError, read_archive
from ackclock.tools.archives.figures import Interval, leaves
from ackclock.tools.archives.kinds import kind_in
from ackclock.tools.archives.packing import opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path


__all__ = ["Comparison", "Moved", "Other", "compare", "read_claims", "read_parts"]


@dataclass(frozen=True)
class Other:
    """A changed verdict or headline."""

    id: str
    reading: str
    """The reading of the paper, or the simulator; "" if there is only one case."""
    old: str
    new: str


@dataclass(frozen=True)
class Moved:
    """A moved number: its old and new value each lie outside of the other's interval."""

    id: str
    reading: str
    """The reading of the paper, or the simulator."""
    where: str
    """Place of the number in the claim's figures, and the setting in words."""
    unit: str
    """Unit as for a metric; "change": a change as a share of the base."""
    old: tuple[float, float, float]
    """Old value, lower and upper end."""
    new: tuple[float, float, float]


@dataclass(frozen=True)
class Comparison:
    """Differences between two results."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    verdicts: tuple[Other, ...]
    headlines: tuple[Other, ...]
    """Changed sentences of unchanged verdicts."""
    criteria: tuple[Other, ...]
    """Changed rules: a verdict may have changed with its rule, and not with the runs."""
    moved: tuple[Moved, ...]
    plain: tuple[str, ...]
    """Places of changed numbers without an interval; with both values unless of a study."""
    notes: tuple[str, ...]
    """Reasons why the two states are hard to compare: quick or full, versions."""

    @property
    def is_empty(self) -> bool:
        """Return whether nothing changed."""
        return not any(
            getattr(self, field)
            for field in ("added", "removed", "verdicts", "headlines", "criteria", "moved", "plain")
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        return asdict(self)


class _Case(TypedDict):
    """The part of a case that is compared."""

    reading: NotRequired[str | None]
    simulator: NotRequired[str | None]
    verdict: str
    sentence: str
    figures: dict[str, Any]


class _Claim(_Case):
    """The part of a claim that is compared."""

    id: str
    study: str
    headline: NotRequired[str | None]
    cases: NotRequired[list[_Case] | None]


def read_claims(path: Path) -> list[dict[str, Any]]:
    """Read the claims of a claims.json, of a folder that has one, or of an archive.

    Raises
    ------
    ArchiveError
        If there are none.
    """
    if path.is_dir():
        # A link in the folder is not the user's.
        without_links(path, "claims.json")
        path = path / "claims.json"
    if not path.is_file():
        raise ArchiveError(
            f"{path}: there is no such file; give a claims.json, the folder of one, or an archive"
        )
    try:
        with path.open("rb") as source:
            is_zipped = source.read(2) == b"PK"
            source.seek(0)
            content = _from_archive(path) if is_zipped else source.read(JSON.size + 1)
        claims = parse_json(content)
    except DamagedError as error:
        raise ArchiveError(
            f"{path}: neither a claims.json nor an archive of a study ({error})"
        ) from None
    try:
        shaped(claims, list[_Claim], path, "a claims.json of ackclock")
    except DamagedError as error:
        raise ArchiveError(str(error)) from None
    return list(claims)


def _from_archive(path: Path) -> bytes:
    with read_archive(path, OF_STUDIES) as archive:
        return archive.read("claims.json", JSON.size)


def read_parts(path: Path) -> tuple[str, list[dict[str, Any]]]:
    """Return the kind of a result and its parts, which `compare` takes as it takes claims.

    Parameters
    ----------
    path
        A folder of results, an archive, or the claims.json of a study.

    Raises
    ------
    ArchiveError
        If there is no such result, or it has no numbers.
    """
    if path.name == "claims.json":
        return "study", read_claims(path)
    with opened(path) as folder:
        kind = kind_in(folder).name
        if kind == "study":
            return kind, read_claims(folder)
        if kind not in _READERS:
            raise ArchiveError(f"{path}: a {kind}, which has no numbers beside its text")
        try:
            return kind, list(_READERS[kind](folder))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ArchiveError(f"{folder}: damaged: {said(error)}") from None


def _part(name: str, figures: Mapping[str, Any], **given: Any) -> dict[str, Any]:
    return {"study": "", "id": name, "verdict": "", "sentence": "", "figures": figures, **given}


def _of_run(folder: Path) -> Iterator[dict[str, Any]]:
    summary = read_json(folder, "summary.json")
    version = {"results_version": summary.pop("results_version")}
    for key in ("flows", "links", "streams"):
        for entry in summary.pop(key, ()):
            yield _part(f"{key.removesuffix('s')} {entry['name']}", entry, **version)
    yield _part("run", summary, **version)


def _of_sweep(folder: Path) -> Iterator[dict[str, Any]]:
    version = {"results_version": read_json(folder, "sweep.json")["results_version"]}
    frame = read_table(folder, "responses.parquet", columns=("response", "mean", "low", "high"))
    axes = frame.columns[1 : frame.columns.index("response")]
    figures: dict[str, dict[str, Any]] = {}
    for row in frame.iter_rows(named=True):
        where = ", ".join(f"{axis}={row[axis]}" for axis in axes) or "all runs"
        interval = {"value": row["mean"], "low": row["low"], "high": row["high"]}
        figures.setdefault(where, {})[row["response"]] = {**interval, "unit": row["unit"]}
    for where, values in figures.items():
        yield _part(where, values, **version)


def _of_dossier(folder: Path) -> Iterator[dict[str, Any]]:
    dossier = read_json(folder, "dossier.json")
    for row in dossier["rows"]:
        figures = {
            f"{cell['cell']}, {cell['measure']}": {
                "own": cell["own"],
                "references": {
                    name: reference["mean"] for name, reference in cell["references"].items()
                },
            }
            for cell in row["cells"]
        }
        yield _part(
            row["id"],
            figures,
            verdict=row["verdict"],
            sentence=row["sentence"],
            quick=dossier["quick"],
            results_version=dossier["results_version"],
        )


def _of_golden(folder: Path) -> Iterator[dict[str, Any]]:
    for check in read_json(folder, "result.json")["checks"]:
        figures = {key: check[key] for key in ("before", "low", "high", "now")}
        name = f"{check['cell']}, {check['metric']}"
        yield _part(name, figures, verdict=check["outcome"], sentence=check["why"])


def _of_random(folder: Path) -> Iterator[dict[str, Any]]:
    yield _part("report", read_json(folder, "random.json"))


_READERS: Mapping[str, Callable[[Path], Iterator[dict[str, Any]]]] = {
    "run": _of_run,
    "sweep": _of_sweep,
    "dossier": _of_dossier,
    "golden test": _of_golden,
    "report of random scripts": _of_random,
}


def compare(
    old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]], *, values: bool = False
) -> Comparison:
    """Return the differences from `old` to `new`, as `read_claims` or `read_parts` gives both.

    With `values` the places of plain numbers have both values.

    A number moved if its old value lies outside of its new interval and its new value outside of
    its old one. One of the two alone may come from a wider interval.
    """
    before, after = (
        {(claim["study"], claim["id"]): claim for claim in claims} for claims in (old, new)
    )
    verdicts, headlines, criteria, moved, plain = [], [], [], [], []
    for name, claim in after.items():
        if name not in before:
            continue
        earlier = before[name]
        judged, reworded = _changes(earlier, claim)
        verdicts += judged
        headlines += reworded
        rules = [str(version.get("criterion", "")) for version in (earlier, claim)]
        criteria += [Other(claim["id"], "", *rules)] if rules[0] != rules[1] else []
        far, bare = _numbers(earlier, claim, values=values)
        moved += far
        plain += bare
    return Comparison(
        tuple(name for study, name in after if (study, name) not in before),
        tuple(name for study, name in before if (study, name) not in after),
        tuple(verdicts),
        tuple(headlines),
        tuple(criteria),
        tuple(moved),
        tuple(plain),
        tuple(_notes(old, new)),
    )


def _cases(claim: Mapping[str, Any]) -> dict[str, Case]:
    """Return the cases by name.

    The first has no name, so that a study which gets readings can be compared with itself before it
    had any.
    """
    first, *others = cases_of(claim)
    return {"": first, **{case.name: case for case in others}}


def _changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[list[Other], list[Other]]:
    before, after, name = _cases(old), _cases(new), new["id"]
    verdicts, headlines = [], []
    for place, case in after.items():
        was = before.get(place)
        if was is not None and was.verdict != case.verdict:
            verdicts.append(Other(name, case.name, was.verdict, case.verdict))
        elif was is not None and was.sentence != case.sentence:
            headlines.append(Other(name, case.name, was.sentence, case.sentence))
    if before.keys() != after.keys() and headline_of(old) != headline_of(new):
        # The reading or the simulator is new, or gone.
        verdicts.append(Other(name, "", headline_of(old), headline_of(new)))
    return verdicts, headlines


def _numbers(
    old: Mapping[str, Any], new: Mapping[str, Any], *, values: bool
) -> tuple[list[Moved], list[str]]:
    """Compare the numbers that both states have, by their place."""
    moved, plain = [], []
    earlier, name = _cases(old), new["id"]
    for key, case in _cases(new).items():
        if key not in earlier:
            continue
        before, after = (dict(leaves(dict(version.figures))) for version in (earlier[key], case))
        for place, value in after.items():
            was = before.get(place)
            if isinstance(value, Interval) and isinstance(was, Interval):
                if not (was.holds(value.value) or value.holds(was.value)):
                    moved.append(
                        Moved(name, case.name, place, value.unit, was.numbers, value.numbers)
                    )
            elif (
                isinstance(value, float)
                and isinstance(was, float)
                and not math.isclose(value, was, rel_tol=1e-9)
            ):
                where = ", ".join(part for part in (name, case.name, place) if part)
                plain.append(f"{where}: {was:.8g} → {value:.8g}" if values else where)
    return moved, plain


def _notes(old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> list[str]:
    notes = []
    kinds = [{bool(claim.get("quick")) for claim in claims} for claims in (old, new)]
    if kinds[0] != kinds[1]:
        words = [
            "quick runs"
            if kind == {True}
            else "full runs"
            if kind == {False}
            else "quick and full runs"
            for kind in kinds
        ]
        notes.append(f"the old claims rest on {words[0]}, the new ones on {words[1]}")
    versions = [
        sorted({str(claim.get("results_version")) for claim in claims}) for claims in (old, new)
    ]
    if versions[0] != versions[1]:
        notes.append(
            f"version {', '.join(versions[0])} of the results made the old runs, version "
            f"{', '.join(versions[1])} the new ones"
        )
    return notes
