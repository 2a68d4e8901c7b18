"""The report of a comparison."""

from typing import TYPE_CHECKING, NamedTuple

from ackclock.metrics import METRICS
from ackclock.report.page import Table, definitions, picture, render, versions
from ackclock.report.run import MOST_ROWS
from ackclock.results.comparison_text import changes, means, notes
from ackclock.results.text import quantity

if TYPE_CHECKING:
    from ackclock.results import Comparison

_IN_DETAIL = (
    "goodput",
    "utilisation",
    "lost_packets",
    "retransmit_rate",
    "timeouts",
    "queue_delay.p95",
    "rtt.mean",
    "fct.mean",
    "jain_index",
)


def comparison_page(comparison: "Comparison") -> str:
    """The page as HTML text."""
    import tomllib

    grid = comparison.grid()
    figure = comparison.figure()
    known = [name for name, each in METRICS.items() if each.from_summary]
    others = [name for name in dict.fromkeys([*_IN_DETAIL, *known]) if name != comparison.metric]
    depth = max(len(comparison.along), 1)
    name = tomllib.loads(comparison.scenario_toml).get("name") if comparison.scenario_toml else None
    return render(
        "comparison.html",
        title=str(name or " against ".join(comparison.variants)),
        facts=_facts(comparison),
        warnings=comparison.warnings,
        metric=grid.title,
        definition=figure.definition,
        note=grid.note,
        notes=notes(comparison),
        overview=[] if comparison.is_asked else _overview(comparison),
        picture=_picture(comparison, comparison.metric),
        table=Table(grid.header, grid.rows, depth),
        others=[_other(comparison, name) for name in others if any(comparison.values(name).values())],
        cells=_cells(comparison),
        most_rows=MOST_ROWS,
        definitions=definitions([*([] if figure.name in known else [figure]), *(METRICS[name] for name in known)]),
        scenario=comparison.scenario_toml,
        versions=versions(),
    )


def _overview(comparison: "Comparison") -> list[tuple[str, str, Table]]:
    """Title, note and table of all that the comparison shows: means, then differences."""
    grids = [make(comparison, comparison.metrics) for make in (means, changes)]
    return [(grid.title, grid.note, Table(grid.header, grid.rows, len(comparison.along) + 1)) for grid in grids if grid.rows]


class _Other(NamedTuple):
    """A metric besides the one that the comparison is about."""

    name: str
    title: str
    definition: str
    picture: str | None
    table: Table


def _other(comparison: "Comparison", name: str) -> _Other:
    grid = comparison.grid(name)
    drawn = _picture(comparison, name) if name in _IN_DETAIL else None
    table = Table(grid.header, grid.rows, max(len(comparison.along), 1))
    return _Other(name, grid.title, METRICS[name].definition, drawn, table)


def _picture(comparison: "Comparison", metric: str) -> str:
    return picture(comparison.plot(metric, width=7.0 if len(comparison.along) > 1 else 5.0).svg())


def _facts(comparison: "Comparison") -> str:
    over = f" over {' and '.join(comparison.along)}" if comparison.along else ""
    seeds = f"seed{'s' if len(comparison.seeds) > 1 else ''} {', '.join(map(str, comparison.seeds))}"
    return f"{', '.join(comparison.variants)}{over} · {len(comparison.cells)} runs · {seeds}"


def _cells(comparison: "Comparison") -> Table:
    figures = [METRICS[name] for name in _IN_DETAIL]
    rows = [
        [
            *(str(value) for value in cell["along"].values()),
            cell["variant"],
            str(cell["seed"]),
            *(
                quantity(figure.value(cell["summary"]), "%" if figure.name.endswith(("_rate", "utilisation")) else figure.unit)
                for figure in figures
            ),
            str(len(cell["summary"]["warnings"])),
        ]
        for cell in comparison.cells
    ]
    header = [*comparison.along, "variant", "seed", *(name.replace("_", " ").replace(".", " ") for name in _IN_DETAIL), "warnings"]
    return Table(header, rows, names=len(comparison.along) + 1)
