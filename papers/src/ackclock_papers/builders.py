"""Builds parts of a study from short declarations."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from textwrap import dedent
from typing import Any, TypedDict, Unpack, get_args

from ackclock.studies.claim import Claim, Criterion, Question, Verdict
from ackclock.studies.item import Item, ItemKind
from ackclock.studies.outside import Outside
from ackclock.studies.reading import Reading
from ackclock.studies.results import Results
from ackclock.studies.rules import Agreement, All, Rule
from ackclock.studies.study import Experiment, Figure, Recording, Study, TableOf

KINDS: dict[str, ItemKind] = {kind: kind for kind in get_args(ItemKind)}

Part = Experiment | Recording | Claim | Question | Figure | TableOf | Reading | Item | Outside
_FIELDS: dict[type[Part], str] = {
    Experiment: "experiments",
    Recording: "recordings",
    Claim: "claims",
    Question: "questions",
    Figure: "figures",
    TableOf: "tables",
    Reading: "readings",
    Item: "items",
    Outside: "outside",
}


class _More(TypedDict, total=False):
    """Fields that claims and questions share."""

    reading: str | None
    why: str | None
    differs: str | None
    figures: tuple[str, ...]


def items(table: str) -> tuple[Item, ...]:
    """Return the items of a table with a row for each; an indented line continues a row.

    The table has these columns, between ``|``: kind, place in the paper, text, names of where it is
    run or shown, reason why it is not. The names stand between blanks; the reason may be left out.
    """
    return tuple(
        Item(KINDS[kind], paper, text, tuple(where.split()), *why_not)
        for kind, paper, text, where, *why_not in _rows(table)
    )


def experiment(name: str, **quick: Any) -> Experiment:
    """Return the sweep of the file `name`.toml, with its reductions for quick runs."""
    return Experiment(name, f"{name}.toml", quick)


def recording(
    name: str,
    variants: Mapping[str, Mapping[str, Any]] | None = None,
    quick: tuple[str, ...] | None = None,
) -> Recording:
    """Return the recording of the file `name`.toml, with its variants."""
    return Recording(name, f"{name}.toml", variants or {"run": {}}, quick)


def choices(table: str) -> tuple[tuple[str, str], ...]:
    """Return the settings of a table like that of `items`, with topic and choice."""
    return tuple((topic, choice) for topic, choice in _rows(table))


def paragraphs(text: str) -> tuple[str, ...]:
    """Return the paragraphs of a text, between empty lines, each in one line."""
    return tuple(" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n"))


def _rows(table: str) -> list[list[str]]:
    rows = dedent(table).strip().replace("\n  ", " ").split("\n")
    return [[" ".join(cell.split()) for cell in row.split("|")] for row in rows]


def every(parts: Mapping[str, Criterion]) -> All:
    """Return several criteria at once, each by its name."""
    return All(tuple(parts.items()))


def across(
    settings: Iterable[Any], criteria: Callable[..., Mapping[str, Criterion]]
) -> dict[str, Criterion]:
    """Return the criteria of each setting by their names; a tuple is several arguments."""
    return {
        name: criterion
        for setting in settings
        for name, criterion in criteria(
            *(setting if isinstance(setting, tuple) else (setting,))
        ).items()
    }


def claim(
    id: str,  # noqa: A002
    text: str,
    *,
    paper: str,
    criterion: Criterion | Mapping[str, Criterion],
    **more: Unpack[_More],
) -> Claim:
    """Return a claim; of several criteria, by their names, all must hold."""
    return Claim(id, text, paper, _whole(criterion), **more)


def question(
    id: str,  # noqa: A002
    text: str,
    criterion: Criterion | Mapping[str, Criterion],
    *,
    paper: str = "",
    **more: Unpack[_More],
) -> Question:
    """Return a question; several criteria, by their names, answer it together."""
    return Question(id, text, _whole(criterion), paper=paper, **more)


def rule(declared: str, *experiments: str) -> Callable[[Callable[[Results], Verdict]], Rule]:
    """Make a rule of the study of the function below, which judges as `declared` says."""
    return lambda verdict: Rule(declared, verdict, experiments)


def agreement(
    what: str,
    tolerance: float,
    *experiments: str,
    unit: str = "1",
    names: tuple[str, str] = ("measured", "computed"),
) -> Callable[[Callable[[Results], Sequence[tuple[str, float, float]]]], Agreement]:
    """Make an agreement of the function below, which returns what is compared."""
    return lambda pairs: Agreement(what, pairs, tolerance, experiments, unit, names)


def _whole(criterion: Criterion | Mapping[str, Criterion]) -> Criterion:
    return every(criterion) if isinstance(criterion, Mapping) else criterion


def study(parts: Sequence[Sequence[Part]], **about: Any) -> Study:
    """Return the study with these parts, each in the field of its kind, and the other fields."""
    fields: dict[str, Any] = {
        field: tuple(part for group in parts for part in group if isinstance(part, kind))
        for kind, field in _FIELDS.items()
    }
    return Study(**fields, **about)
