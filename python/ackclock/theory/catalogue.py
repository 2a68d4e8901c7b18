"""The functions of `ackclock.theory`, read from their signatures and numpydoc docstrings."""

from __future__ import annotations

import inspect
import re
import sys
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Formula", "Parameter", "formulas", "units_of"]

Kind = Literal["number", "count", "flag", "text", "numbers", "lists", "python"]
"""Kind of an argument; "python": it can only be written in Python, such as a function."""

_UNIT = re.compile(
    r"(?:^|, |: )(s|packets/s|packets|bit/s|bytes)(?! per| of| s\b)(?=$|[.;:, )])", re.IGNORECASE
)
_SECTION = re.compile(r"^(\w[\w ]*)\n-+\n", re.MULTILINE)
_AS_FOR = re.compile(r"As for `(\w+)`")


@dataclass(frozen=True)
class Parameter:
    """An argument of a formula.

    Attributes
    ----------
    name
        Name of the argument in Python.
    meaning
        Meaning, from the docstring.
    unit
        s, packets, packets/s, bit/s or bytes, if the docstring names one.
    kind
        Form of the value.
    default
        `inspect.Parameter.empty` if it must be given.
    """

    name: str
    meaning: str
    unit: str | None
    kind: Kind
    default: Any

    @property
    def needed(self) -> bool:
        """Whether there is no default."""
        return self.default is inspect.Parameter.empty


@dataclass(frozen=True)
class Formula:
    """A function of `ackclock.theory`.

    Attributes
    ----------
    name
        In `ackclock.theory`.
    subject
        Subject of the function's file.
    meaning
        First line of the docstring.
    unit
        Unit of the result, if the first line ends with one.
    notes
        Derivation, validity and source.
    parameters
        In their order.
    function
        The function itself.
    """

    name: str
    subject: str
    meaning: str
    unit: str | None
    notes: str
    parameters: tuple[Parameter, ...]
    function: Callable[..., Any]

    @property
    def in_words(self) -> bool:
        """Whether its arguments can be written as text."""
        return all(parameter.kind != "python" for parameter in self.parameters)


@lru_cache(maxsize=1)
def formulas() -> Mapping[str, Formula]:
    """All functions of `ackclock.theory` by their names there, in the order of their subjects.

    Examples
    --------
    >>> one = formulas()["md1_wait"]
    >>> one.unit, [(parameter.name, parameter.unit) for parameter in one.parameters]
    ('s', [('load', None), ('service_time', 's')])
    """
    from ackclock import theory

    entries = [
        _formula(name, getattr(theory, name))
        for name in theory.__all__
        if inspect.isfunction(getattr(theory, name))
    ]
    return {
        formula.name: formula
        for formula in sorted(entries, key=lambda formula: (formula.subject, formula.name))
    }


def _formula(name: str, function: Callable[..., Any]) -> Formula:
    sections = _sections(function)
    meaning = " ".join(sections[""].split("\n\n")[0].split())
    own = inspect.signature(function).parameters.values()
    return Formula(
        name=name,
        subject=_subject(function),
        meaning=meaning,
        unit=_last_unit(meaning),
        notes="\n\n".join(
            part
            for part in ("\n\n".join(sections[""].split("\n\n")[1:]), sections.get("Notes", ""))
            if part
        ),
        parameters=tuple(
            _parameter(function, parameter)
            for parameter in own
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD
        ),
        function=function,
    )


def _subject(function: Callable[..., Any]) -> str:
    text = inspect.getdoc(sys.modules[function.__module__]) or ""
    return text.split("\n", maxsplit=1)[0].rstrip(".")


def units_of(result: type) -> dict[str, str]:
    """Units of a result's fields, as far as its docstring names them."""
    units = {
        name: _last_unit(_first_sentence(meaning))
        for name, meaning in _described(result, "Attributes").items()
    }
    return {name: unit for name, unit in units.items() if unit}


def _described(what: Callable[..., Any] | type, section: str) -> dict[str, str]:
    """Return each name of a section with its description."""
    described: dict[str, str] = {}
    names: list[str] = []
    for line in _sections(what).get(section, "").splitlines():
        if line and not line[0].isspace():
            names = [part.strip().lstrip("*") for part in line.split(":")[0].split(",")]
        else:
            for own in names:
                described[own] = f"{described.get(own, '')} {line.strip()}".strip()
    return described


def _first_sentence(text: str) -> str:
    return re.split(r"\.\s", text)[0]


def _sections(what: Callable[..., Any] | type) -> dict[str, str]:
    """The docstring's parts by their headings; what comes before them has none."""
    parts = _SECTION.split(inspect.getdoc(what) or "")
    return {"": parts[0].strip()} | {
        title: text.strip("\n") for title, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def _parameter(function: Callable[..., Any], parameter: inspect.Parameter) -> Parameter:
    meaning, kind = _meaning(function, parameter.name), _kind(parameter.annotation)
    # A symbol may look like a unit, "s, packets": the unit is what stands last in the first
    # sentence.
    unit = _last_unit(_first_sentence(meaning)) if kind in ("number", "count", "numbers") else None
    return Parameter(parameter.name, meaning, unit, kind, parameter.default)


def _meaning(function: Callable[..., Any], name: str) -> str:
    """Return a docstring's text on a parameter, following a reference to another function."""
    meaning = _described(function, "Parameters").get(name, "")
    elsewhere = _AS_FOR.match(meaning)
    if elsewhere is None:
        return meaning
    there = getattr(sys.modules[function.__module__], elsewhere[1], None)
    if there is None:
        from ackclock import theory

        there = getattr(theory, elsewhere[1])
    rest = meaning[elsewhere.end() :].lstrip(".;, ")
    return f"{_meaning(there, name)} {rest}".strip()


def _last_unit(meaning: str) -> str | None:
    if meaning.startswith("Packets per second"):
        return "packets/s"
    units = [match[1].lower() for match in _UNIT.finditer(meaning)]
    return units[-1] if units else None


_KINDS: tuple[tuple[str, Kind], ...] = (
    ("Callable", "python"),
    ("Window", "python"),
    ("Loop", "python"),
    ("Sequence[Sequence", "lists"),
    ("Sequence", "numbers"),
    ("NDArray", "numbers"),
    ("bool", "flag"),
    ("float", "number"),
    ("int", "count"),
)


def _kind(annotation: Any) -> Kind:
    text = (
        annotation
        if isinstance(annotation, str)
        else getattr(annotation, "__name__", str(annotation))
    )
    text = text if "Union" not in text else str(annotation)
    return next((kind for word, kind in _KINDS if word in text), "text")
