"""The options ``--format`` and ``--table`` of commands that show tables."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, cast

import click

from ackclock.cli.errors import InputError
from ackclock.cli.options import Command, decorated, json_option
from ackclock.messages import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ackclock.tables.table import Table

__all__ = ["FORMATS", "FormatType", "format_option", "print_tables", "table_options"]

FORMATS = ("table", "csv", "markdown", "latex", "json")
"""Formats of a command's output; "table" is for the terminal."""

_OTHER_NAMES = {"md": "markdown", "tex": "latex", "text": "table"}


class FormatType(click.ParamType[str]):
    """One of `FORMATS`; suffixes of files are understood, too."""

    name = "format"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Read a format's name."""
        form = _OTHER_NAMES.get(str(value), str(value))
        if form not in FORMATS:
            self.fail(
                f"'{value}' is none of {', '.join(FORMATS)}{did_you_mean(form, FORMATS)}",
                param,
                ctx,
            )
        return form


def format_option(function: Command) -> Command:
    """``--format`` and ``--json``, which means ``--format json``.

    The command's function gets `as_json`, and `form`: "csv", "markdown", "latex", or None for the
    terminal and for JSON.
    """

    @wraps(function)
    def called(*args: Any, form: str | None, as_json: bool, **others: Any) -> Any:
        if as_json and form not in (None, "json"):
            raise InputError(f"--json, --format {form}: one output has one format")
        as_json = as_json or form == "json"
        text = None if form in (None, "table", "json") else form
        return function(*args, form=text, as_json=as_json, **others)

    return decorated(
        cast("Command", called),
        click.option(
            "--format",
            "form",
            metavar="|".join(FORMATS),
            type=FormatType(),
            help="Format of the tables: csv and json have exact figures in base units; markdown "
            "and latex (booktabs) are rounded [default: table].",
        ),
        json_option,
    )


def table_options(*names: str) -> Callable[[Command], Command]:
    """``--format``, ``--json`` and ``--table``; `names` begin the names of all possible tables.

    The command's function also gets `wanted`, the names given with ``--table``.
    """

    def check(_ctx: click.Context, _param: click.Parameter, given: tuple[str, ...]) -> Any:
        for name in given:
            if name.split(" ")[0] not in names:
                raise InputError(
                    f"--table: there is no table '{name}'{did_you_mean(name, names)} (the tables "
                    f"here: {listing})"
                )
        return given

    listing = ", ".join(names)

    def decorate(function: Command) -> Command:
        return decorated(
            function,
            format_option,
            click.option(
                "--table",
                "wanted",
                metavar="NAME",
                multiple=True,
                callback=check,
                help=f"This table alone, in Markdown without --format: {listing}. Repeatable.",
            ),
        )

    return decorate


def print_tables(
    tables: Mapping[str, Table],
    form: str,
    wanted: Sequence[str] = (),
    *,
    hidden: Sequence[str] = (),
) -> None:
    """Print tables in a format, one after the other.

    Several tables are separated by an empty line. Each then has a title: in CSV a line that begins
    with "# ", in Markdown a heading in bold, in LaTeX a comment, as a single one has.

    Parameters
    ----------
    tables
        Tables by name.
    form
        "csv", "markdown" or "latex".
    wanted
        Names of the tables to print, or the first words of names; empty: all but `hidden`.
    hidden
        Names of tables that are printed on demand only.

    Raises
    ------
    InputError
        If a wanted table does not exist.
    """
    from ackclock.tables.markdown import markdown_cell

    chosen = [table for name, table in tables.items() if name not in hidden]
    if wanted:
        for name in wanted:
            if not any(_matches(table, name) for table in tables.values()):
                raise InputError(
                    f"--table: there is no table '{name}' here, only {', '.join(tables)}"
                )
        chosen = [
            table for table in tables.values() if any(_matches(table, name) for name in wanted)
        ]
    for number, table in enumerate(chosen):
        if number:
            click.echo()
        if len(chosen) > 1 and form == "csv":
            click.echo(f"# {table.title}")
        if len(chosen) > 1 and form == "markdown":
            click.echo(f"**{markdown_cell(table.title)}**\n")
        click.echo(table.text(form), nl=False)


def _matches(table: Table, name: str) -> bool:
    return table.name == name or table.name.startswith(f"{name} ")
