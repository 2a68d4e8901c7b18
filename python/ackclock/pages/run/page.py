"""Common parts of all pages: the template engine, tables, pictures, the notes on method."""

import json
import platform
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ackclock.pages.run.pictures import compact, quoted
from ackclock.pages.run.scripts import script, vendored
from ackclock.tables.html import frame
from ackclock.tables.table import Table

if TYPE_CHECKING:
    from ackclock.metrics import Metric


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("ackclock.pages.run", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals |= {
        "script": script,
        "vendored": vendored,
        "frame": frame,
        "table": Table.to_html,
    }
    return environment


def render(template: str, **values: Any) -> str:
    """Fill a template."""
    return _environment().get_template(template).render(**values)


def picture(svg: str) -> Markup:
    """A figure as a data address for an `img`; as separate documents, figures may share ids."""
    return Markup("data:image/svg+xml,") + quoted(compact(svg))


def json_in_page(value: Any) -> str:
    """A value as JSON that cannot end the script element around it."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    text = text.replace("</", "<\\/").replace("<!--", "<\\u0021--")
    # Older JavaScript ends a line at these two, within a text as well.
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


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
        libraries = tuple(known("numpy", "polars", "scipy", "matplotlib"))
    return (
        f"ackclock {_core.__version__} (results version {_core.RESULTS_VERSION}), Python "
        f"{platform.python_version()}, {', '.join(libraries)}"
    )


def known(*names: str) -> list[str]:
    """Names with versions of the packages that are installed; nothing is imported."""
    from importlib.metadata import PackageNotFoundError, version

    versions = []
    for name in names:
        with suppress(PackageNotFoundError):
            versions.append(f"{name} {version(name)}")
    return versions
