"""``ackclock runs``."""

from __future__ import annotations

import re
import sys
import time
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ackclock.cli.errors import InputError
from ackclock.cli.options import json_option, quiet_option
from ackclock.cli.target import chosen_folder
from ackclock.cli.terminal import json_text
from ackclock.messages import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ackclock.tools.runs import Entry, Refusal

__all__ = ["command"]

_PS_PER_S = 10**12
_DAYS = {"d": 1, "w": 7}


@click.command("runs")
@click.argument("given", metavar="[FOLDER]", required=False, type=click.Path())
@click.option(
    "--only",
    "names",
    metavar="NAME",
    multiple=True,
    help="These alone; a pattern, as in a shell: 'buffer-*'. Repeatable.",
)
@click.option("--older", metavar="AGE", help="Results of at least this age alone: 30d, 12h.")
@click.option("--larger", metavar="SIZE", help="Results of at least this size alone: 1GB, 500kB.")
@click.option(
    "--prune", "prunes", is_flag=True, help="Remove the listed results, after a question."
)
@click.option("--yes", is_flag=True, help="With --prune: do not ask.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV on standard output.")
@json_option
@quiet_option
def command(
    given: str | None,
    *,
    names: tuple[str, ...],
    older: str | None,
    larger: str | None,
    prunes: bool,
    yes: bool,
    as_csv: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """List the results in FOLDER [default: runs], the newest first: kind, key figures, size.

    --prune removes those that --only, --older and --larger choose. It removes whole results, and
    leaves each one that holds a file of yours, or whose runs another sweep uses. A store of runs is
    removed only if --only names it.

    \b
    Examples:
      ackclock runs
      ackclock runs --larger 100MB --csv
      ackclock runs --prune --older 30d
      ackclock runs --prune --only 'gentle-*' --yes
    """  # noqa: D301
    from ackclock.errors import FileMissingError
    from ackclock.tools.runs import entries

    if as_csv and (as_json or prunes):
        raise click.UsageError("--csv goes with neither --json nor --prune")
    if prunes and not (names or older or larger):
        raise click.UsageError("--prune needs a choice: --only, --older or --larger")
    choose = _choice(names, older, larger)
    folder = str(chosen_folder(given, "runs", ""))
    try:
        everything = entries(Path(folder))
    except FileMissingError as error:
        raise InputError(str(error)) from None
    chosen = [entry for entry in everything if choose(entry)]
    for name in names:
        if not any(fnmatchcase(entry.name, name) for entry in everything):
            raise InputError(_unknown(name, everything, folder))
    if prunes:
        return _prune(chosen, everything, names, yes=yes, as_json=as_json, quiet=quiet)
    if as_json:
        click.echo(json_text([_plain(entry) for entry in chosen]))
    elif as_csv:
        click.echo(_csv(chosen), nl=False)
    elif not quiet:
        _show(chosen, folder)
    return 0


def _unknown(name: str, everything: Sequence[Entry], folder: str) -> str:
    from ackclock.messages import nearest_or_all

    return (
        f"--only: no result in {folder} has the name '{name}'"
        f"{nearest_or_all(name, [entry.name for entry in everything])}"
    )


def _choice(names: Sequence[str], older: str | None, larger: str | None) -> Callable[[Entry], bool]:
    """Whether the options choose a result."""
    latest = float("inf") if older is None else time.time() - _seconds(older)
    least = 0 if larger is None else _bytes(larger)

    def choose(entry: Entry) -> bool:
        named = not names or any(fnmatchcase(entry.name, name) for name in names)
        return named and entry.modified <= latest and entry.size >= least

    return choose


def _seconds(text: str) -> float:
    """An age, in days or weeks too, which no time of a scenario has."""
    from ackclock import _core

    match = re.fullmatch(r"(\d+(?:\.\d+)?) *(d|w)", text.strip())
    if match is not None:
        return float(match[1]) * _DAYS[match[2]] * 86_400
    try:
        return _core.parse_time(text) / _PS_PER_S
    except ValueError:
        raise InputError(
            f"--older: {shown(text)} is no age: a number with w, d, h, min or s is one, such as 30d"
        ) from None


def _bytes(text: str) -> int:
    from ackclock import _core

    try:
        return _core.parse_size(text)
    except ValueError as error:
        raise InputError(f"--larger: {error}") from None


def _when(entry: Entry) -> datetime:
    return datetime.fromtimestamp(entry.modified, UTC)


def _plain(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "kind": entry.kind,
        "folder": entry.folder.as_posix(),
        "modified": _when(entry).isoformat(timespec="seconds"),
        "bytes": entry.size,
        "summary": entry.text,
        "figures": dict(entry.figures),
        "page": None if entry.page is None else entry.page.as_posix(),
        "problem": entry.problem or None,
    }


def _csv(chosen: Sequence[Entry]) -> str:
    from ackclock.tables.table import Column, Table

    names = ("modified", "kind", "name", "summary", "bytes", "page", "problem")
    rows = [_plain(entry) for entry in chosen]
    columns = [Column(name, [row[name] for row in rows]) for name in names]
    return Table.of("results", "Results", columns).to_csv()


def _size(count: int) -> str:
    from ackclock.tables.quantities import quantity

    return quantity(count, "bytes", 2).replace("bytes", "B")


def _show(chosen: Sequence[Entry], folder: str) -> None:
    from ackclock.cli.console import Console
    from ackclock.tables.table import Table, styled
    from ackclock.tables.terminal import BARE, KEPT, REST, drawn

    console = Console()
    if not chosen:
        console.print(f"No results in {folder}; ackclock demo makes a first one.", soft_wrap=True)
        return
    rows = []
    for entry in chosen:
        local = _when(entry).astimezone()
        figures = (f"broken: {entry.problem}", "red") if entry.problem else (entry.text, "dim")
        name = styled((entry.name, "bold"), "\n", figures)
        rows.append((f"{local:%Y-%m-%d %H:%M}", entry.kind, name, _size(entry.size)))
    table = Table(("when", "kind", "name and figures", "size"), rows, 3)
    console.print(drawn(table, BARE, (KEPT, KEPT, REST, KEPT)))
    total = sum(entry.size for entry in chosen)
    results = f"{len(chosen):,} result{'' if len(chosen) == 1 else 's'}"
    console.print(f"\n{results} in {folder}, {_size(total)}", soft_wrap=True)


def _prune(
    chosen: Sequence[Entry],
    everything: Sequence[Entry],
    names: Sequence[str],
    *,
    yes: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    from ackclock.tools.runs import prune

    candidates = [entry for entry in chosen if entry.kind != "store" or entry.name in names]
    going, staying = _sorted(candidates, everything)
    for refusal in staying:
        click.echo(f"{refusal.entry.name} stays: {refusal.why}", err=True)
    if going and not yes and not _may_remove(going):
        going = []
    removed = list(prune(going))
    freed = sum(entry.size for entry in removed)
    if as_json:
        document = {
            "removed": [_plain(entry) for entry in removed],
            "stayed": [{**_plain(entry), "why": why} for entry, why in staying],
            "bytes": freed,
        }
        click.echo(json_text(document))
    elif not quiet:
        count = f"{len(removed):,} result{'' if len(removed) == 1 else 's'}"
        click.echo(f"{count} removed, {_size(freed)}" if removed else "nothing removed")
    return 0


def _sorted(
    candidates: Sequence[Entry], everything: Sequence[Entry]
) -> tuple[list[Entry], list[Refusal]]:
    """The results that go, and those that stay.

    A result that stays may use another one's runs, which then stays, too.
    """
    from ackclock.tools.runs import Refusal, refusal_of

    going = list(candidates)
    staying: list[Refusal] = []
    while True:
        chosen = {entry.folder for entry in going}
        refused = [
            Refusal(entry, why) for entry in going if (why := refusal_of(entry, chosen, everything))
        ]
        if not refused:
            return going, staying
        staying += refused
        going = [entry for entry in going if all(entry is not refusal.entry for refusal in refused)]


def _may_remove(going: Sequence[Entry]) -> bool:
    """Ask the user."""
    if not sys.stdin.isatty():
        raise InputError(
            "--prune: there is no terminal to ask at; --yes removes without a question"
        )
    for entry in going:
        click.echo(f"  {entry.name}  {_size(entry.size)}", err=True)
    total = _size(sum(entry.size for entry in going))
    return click.confirm(f"Remove these {len(going):,} ({total})?", err=True)
