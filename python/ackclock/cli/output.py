"""How a command shows its results: options ``--format``, ``--table``, ``--json``, ``--quiet``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from ackclock.atomic_io import write_text
from ackclock.cli.errors import InputError
from ackclock.cli.options import Command, decorated, json_option, quiet_option
from ackclock.cli.target import check_target_file
from ackclock.messages import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rich.console import RenderableType

    from ackclock.cli.console import Console
    from ackclock.results import Result
    from ackclock.sweeps.result import SweepResult
    from ackclock.tables.table import Table
    from ackclock.verdicts import Verdicts

__all__ = [
    "FORMATS",
    "HIDDEN",
    "RUN_TABLES",
    "SWEEP_TABLES",
    "FormatType",
    "Output",
    "check_junit",
    "format_option",
    "junit_option",
    "output_options",
    "print_tables",
    "write_junit",
]

RUN_TABLES = ("flows", "streams", "transfers", "links", "diagnosis")
"""Names of a run's tables."""
SWEEP_TABLES = ("means", "differences", "runs")
"""Names, or their first words, of a sweep's tables."""
HIDDEN = ("diagnosis", "runs")
"""Tables that are printed on demand only."""

FORMATS = ("table", "csv", "markdown", "latex", "json")
"""Formats of a command's output; "table" is for the terminal."""

_OTHER_NAMES = {"md": "markdown", "tex": "latex", "text": "table"}


@dataclass(frozen=True)
class Output:
    """How a command shows its results on standard output: as tables or JSON, or not at all."""

    as_json: bool = False
    quiet: bool = False
    """Whether a terminal shows nothing; JSON and tables that were asked for are printed."""
    form: str | None = None
    """ "csv", "markdown" or "latex"; None for the terminal and for JSON."""
    wanted: tuple[str, ...] = ()
    """Tables to print, by their names or the first words of these; empty: all but `HIDDEN`."""

    @property
    def is_for_terminal(self) -> bool:
        """Whether the results are drawn for a person at a terminal."""
        return not self.as_json and self.form is None and not self.wanted

    def messages(self) -> Console:
        """The console for messages: standard error."""
        from ackclock.cli.progress import messages

        return messages(quiet=self.quiet)

    def show(
        self,
        view: Callable[[], RenderableType],
        data: Callable[[], Any],
        tables: Callable[[], Mapping[str, Table]] | None = None,
    ) -> None:
        """Print `data` as JSON, or `tables`, or draw `view`; the other two are not made."""
        if self.as_json:
            click.echo(json.dumps(data(), indent=2, allow_nan=False))
        elif tables is not None and not self.is_for_terminal:
            print_tables(tables(), self.form or "markdown", self.wanted, hidden=HIDDEN)
        elif not self.quiet:
            from ackclock.cli.console import Console

            Console().print(view())

    def show_result(self, result: Result | SweepResult, data: Callable[[], Any]) -> None:
        """Show the results of a run or a sweep."""
        self.show(lambda: result, data, lambda: result.tables)


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


def _table_option(names: Sequence[str]) -> Callable[[Command], Command]:
    """``--table``; `names` begin the names of all possible tables."""
    listed = ", ".join(names)

    def check(_ctx: click.Context, _param: click.Parameter, given: tuple[str, ...]) -> Any:
        for name in given:
            if name.split(" ")[0] not in names:
                raise InputError(
                    f"--table: there is no table '{name}'{did_you_mean(name, names)} (the tables "
                    f"here: {listed})"
                )
        return given

    return click.option(
        "--table",
        "wanted",
        metavar="NAME",
        multiple=True,
        callback=check,
        help=f"This table alone, in Markdown without --format: {listed}. Repeatable.",
    )


def output_options(*tables: str, quiet: bool = True) -> Callable[[Command], Command]:
    """``--json``, ``--quiet`` and, for a command with tables, ``--format`` and ``--table``.

    The command's function gets an `Output` as `output`. `tables` begin the names of all possible
    tables. Without `quiet` there is no ``--quiet``.
    """

    def decorate(function: Command) -> Command:
        @wraps(function)
        def called(*args: Any, **options: Any) -> Any:
            keys = [key for key in ("as_json", "quiet", "form", "wanted") if key in options]
            output = Output(**{key: options.pop(key) for key in keys})
            return function(*args, output=output, **options)

        shown = [quiet_option] if quiet else []
        if tables:
            return decorated(cast("Command", called), format_option, _table_option(tables), *shown)
        return decorated(cast("Command", called), json_option, *shown)

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


junit_option = click.option(
    "--junit",
    metavar="FILE",
    type=click.Path(),
    help="Write the checks as JUnit XML, which forges and CI servers read.",
)


def check_junit(file: str | None) -> None:
    """Complain about a file that cannot be written, before anything runs."""
    if file is not None:
        check_target_file(Path(file), "--junit")


def write_junit(file: str | None, verdicts: Verdicts) -> None:
    """Write the verdicts, if the user named a file."""
    if file is not None:
        write_text(Path(file), verdicts.junit())
