"""The permission of a command: whether it may run Python code that files name."""

from __future__ import annotations

import sys
from functools import wraps
from typing import TYPE_CHECKING, Any, cast

import click

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from ackclock.cli.options import Command
    from ackclock.runtime.permission import Question

__all__ = ["RUNS", "looks_only", "runs_code", "tell_left_out", "way_to_trust"]

RUNS = "allow_code"
"""Name of the option that a command has if it runs code; any other command only looks."""

_allow_code = click.option(
    "--allow-code",
    RUNS,
    is_flag=True,
    help="Run the Python code that the files name (python:...), this once; "
    "ackclock trust DIR remembers a folder.",
)


def runs_code(*named: str) -> Callable[[Command], Command]:
    """Let a command run the user's code, with the option --allow-code; a dry run only looks.

    Parameters
    ----------
    *named
        Arguments that name code, as the options do: what the user types there is permitted.
    """

    def decorate(function: Command) -> Command:
        @wraps(function)
        def permitted(*arguments: Any, **given: Any) -> Any:
            from ackclock.runtime.nested import texts_in
            from ackclock.runtime.permission import Permission, modules_named, session

            everything = given.pop(RUNS)
            if given.get("dry_run") or given.get("prints_scenario"):
                return function(*arguments, **given)
            context = click.get_current_context()
            options = {
                option.name for option in context.command.params if isinstance(option, click.Option)
            }
            typed = [given.get(name or "") for name in (*options, *named)]
            quiet = bool(context.params.get("quiet"))
            permission = Permission(
                "ask",
                frozenset(modules_named(*(text for _, text in texts_in(typed)))),
                everything=everything,
                ask=_ask if sys.stdin.isatty() and sys.stderr.isatty() else None,
                tell=None if quiet else _tell,
            )
            with session(permission):
                return function(*arguments, **given)

        return cast("Command", _allow_code(permitted))

    return decorate


def _tell(file: Path) -> None:
    from ackclock.messages import clean
    from ackclock.runtime.permission import seen

    click.echo(f"Code: {clean(seen(file))}", err=True)


def _ask(question: Question) -> bool:
    from ackclock.messages import clean
    from ackclock.runtime.permission import seen

    files = ", ".join(clean(seen(file)) for file in question.files)
    if question.archive is not None:
        click.echo(f"{clean(seen(question.archive))} brings Python code: {files}", err=True)
        return click.confirm("Run it this once?", default=False, err=True)
    by = f"{clean(question.by)} names" if question.by else "You asked for"
    click.echo(f"{by} Python code: {files}", err=True)
    folders = " and ".join(clean(str(folder)) for folder in question.folders)
    return click.confirm(
        f"Trust {folders} and the folders below? ackclock then runs such code, now and later.",
        default=False,
        err=True,
    )


def looks_only() -> AbstractContextManager[None]:
    """Return the context of a command that runs no code, and says what it could not know."""
    from ackclock.runtime.permission import Permission, session

    return session(Permission("look"))


def tell_left_out() -> None:
    """Say which congestion controls were looked at without importing them."""
    from ackclock.messages import shown
    from ackclock.runtime.permission import what_was_left_out

    names = what_was_left_out()
    if names:
        more = f" (and {len(names) - 1} more)" if len(names) > 1 else ""
        click.echo(
            f"{shown(names[0])}{more} was not run: transport options that its class implies are "
            "not known here",
            err=True,
        )


def way_to_trust(folder: Path) -> str:
    """Return the command that trusts a folder; "" if it is trusted already."""
    from shlex import quote

    from ackclock.runtime.permission import is_permitted

    return "" if is_permitted(folder) else f"ackclock trust {quote(str(folder))}"
