"""Which reading of what the paper leaves open gives which of its figures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ackclock.report.page import Table
from ackclock.results.text import MISSING, quantity
from ackclock.stats import estimates
from ackclock.studies.claim import Verdict
from ackclock.studies.criteria import Change, Level
from ackclock.studies.rules import All, Rule
from ackclock.studies.small_buffers.claims import CLAIMS, PAPER
from ackclock.studies.small_buffers.printed import PRINTED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.studies.claim import Claim, Criterion
    from ackclock.studies.results import Results

__all__ = ["READINGS", "WHICH", "Reading", "held", "numbers", "verdicts"]


@dataclass(frozen=True)
class Reading:
    """One of the paper's possible settings."""

    name: str
    experiment: str
    at: Mapping[str, Any]


READINGS = tuple(
    Reading(f"{network}, {film}", experiment, {**at, "film": film})
    for network, experiment, at in (
        ("52 Mbit/s", "buffers", {"link": "52 Mbit/s"}),
        ("24.4 Mbit/s", "buffers", {"link": "24.4 Mbit/s"}),
        ("24.4 Mbit/s and 80 ms", "rtt", {}),
    )
    for film in ("spread", "in bursts")
)

_FIGURES = tuple(claim for claim in CLAIMS if "rules" not in claim.criterion.experiments)
"""The claims that rest on the paper's own experiment."""


def held(criterion: Criterion, reading: Reading) -> Criterion:
    """The same criterion, of one reading alone."""
    if isinstance(criterion, All):
        return All(tuple((name, held(part, reading)) for name, part in criterion.parts))
    assert isinstance(criterion, Change | Level), criterion
    return replace(criterion, experiment=reading.experiment, at={**criterion.at, **reading.at})


def _verdicts(claim: Claim, results: Results) -> list[Verdict]:
    """One for each reading."""
    return [held(claim.criterion, reading).judge(results) for reading in READINGS]


def _answer(results: Results) -> Verdict:
    found = {claim.id: _verdicts(claim, results) for claim in _FIGURES}
    holding = {
        name: [reading.name for reading, verdict in zip(READINGS, verdicts, strict=True) if verdict.kind == "holds"]
        for name, verdicts in found.items()
    }
    if all(verdict.kind == "cannot be judged" for verdicts in found.values() for verdict in verdicts):
        return Verdict("cannot be judged", "no reading has runs that decide anything.")
    sides = (
        ("whichever is taken", [name for name, those in holding.items() if len(those) == len(READINGS)]),
        ("with none", [name for name, those in holding.items() if not those]),
    )
    parts = [f"{words}: {', '.join(names)}" for words, names in sides if names]
    parts += [f"{name} with {_told(those)}" for name, those in holding.items() if 0 < len(those) < len(READINGS)]
    changed = [
        f"{claim.id} ({each[before].kind}, then {each[after].kind}, film {READINGS[after].at['film']})"
        for claim in _FIGURES
        for each in (found[claim.id],)
        for before, after in _SHORTENED
        if each[before].kind != each[after].kind
    ]
    shorter = f"A round-trip time of 80 ms changes {', '.join(changed)}." if changed else "A round-trip time of 80 ms changes no verdict."
    figures = {
        name: {reading.name: verdict.kind for reading, verdict in zip(READINGS, verdicts, strict=True)} for name, verdicts in found.items()
    }
    return Verdict("answered", f"Holds {'; '.join(parts)}. {shorter}", figures)


def _told(names: Sequence[str]) -> str:
    *most, last = (f"“{name}”" for name in names)
    return f"{', '.join(most)} and {last}" if most else last


_SHORTENED = ((2, 4), (3, 5))
"""Places of readings that differ in their round-trip time alone."""

WHICH = Rule(
    "the criterion of each claim on the paper's own experiment, applied to the runs of one reading at a time, its intervals of 1 − 5 %/k "
    "confidence for the k settings that are left",
    _answer,
    ("buffers", "rtt"),
)


def verdicts(results: Results) -> Table:
    """By claim and reading."""
    return Table(
        ("claim", *(reading.name for reading in READINGS)),
        [(claim.id, *(each.kind for each in _verdicts(claim, results))) for claim in _FIGURES],
        len(READINGS) + 1,
    )


_DIGITS = 4
"""The paper prints 17.98 Mbit/s."""


def numbers(results: Results) -> Table:
    """What the paper prints beside what was measured."""
    rows = [
        (
            f"{response}, {buffer} packets",
            quantity(number, unit, _DIGITS),
            *(_mean(results, reading, response, buffer) for reading in READINGS),
        )
        for response, printed in PRINTED.items()
        for unit in (results.shown_unit("buffers", response),)
        for buffer, number in printed.items()
    ]
    return Table(("", "the paper", *(reading.name for reading in READINGS)), rows)


def _mean(results: Results, reading: Reading, response: str, buffer: int) -> str:
    (spot,) = results.spots(reading.experiment, response, {**PAPER, **reading.at, "buffer": buffer})
    (one,) = estimates([list(spot.values.values())])
    return MISSING if one.mean is None else quantity(one.mean, results.shown_unit(reading.experiment, response), _DIGITS)
