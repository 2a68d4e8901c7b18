"""Common parts of all pages: the template engine, tables, pictures, the notes on method."""

import base64
import platform
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

if TYPE_CHECKING:
    from ackclock.metrics import Metric


class Table(NamedTuple):
    """A table of text; the first `names` columns are left-aligned."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    names: int = 1
    more: int = 0
    """Number of rows that are left out."""
    where: str = ""
    """File that has the rows that are left out."""


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("ackclock.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def render(template: str, **values: Any) -> str:
    """Fill a template."""
    return _environment().get_template(template).render(**values)


def picture(svg: str) -> str:
    """A figure as a data address for an `img`; as separate documents, figures may share ids."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode("ascii")


def definitions(figures: Iterable["Metric"]) -> Table:
    """A table of the metrics' definitions and their sources."""
    return Table(
        ("metric", "unit", "definition", "source"),
        [(f.name, "–" if f.unit == "1" else f.unit, f.definition, f.source) for f in figures],
        names=4,
    )


def versions(*libraries: str) -> str:
    """Versions of ackclock, Python and the libraries that made the page.

    `libraries` are their names with their versions; by default those that make pages with figures.
    """
    from ackclock import _core

    if not libraries:
        # Importing it takes as long as the page of a short run, which names its libraries.
        from importlib.metadata import version

        libraries = tuple(
            f"{name} {version(name)}"
            for name in ("numpy", "polars", "scipy", "matplotlib", "plotly")
        )
    return (
        f"ackclock {_core.__version__} (results version {_core.RESULTS_VERSION}), Python "
        f"{platform.python_version()}, {', '.join(libraries)}"
    )
