"""``ackclock doctor``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from ackclock.cli.options import json_option, quiet_option
from ackclock.cli.terminal import json_text

if TYPE_CHECKING:
    from ackclock.cli.console import Console
    from ackclock.tools.doctor import Check

__all__ = ["command"]

_MARKS = {
    "fine": ("✓", "green"),
    "limited": ("!", "yellow"),
    "absent": ("–", "dim"),
    "broken": ("✗", "bold red"),
}


@click.command("doctor")
@click.option("--no-kernel", is_flag=True, help="Leave out the real kernel: two seconds less.")
@json_option
@quiet_option
def command(*, no_kernel: bool, as_json: bool, quiet: bool) -> int:
    """Tell what this machine can do with ackclock, and what is missing.

    It looks at the engine's build, makes a trial run whose numbers are known, and measures how
    exact real time is on this machine's kernel. The exit status is 1 if something essential is
    broken, and 0 if only extras are missing.

    \b
    Examples:
      ackclock doctor
      ackclock doctor --json
    """  # noqa: D301
    from ackclock.cli.console import Console
    from ackclock.cli.progress import messages
    from ackclock.tools.doctor import examine

    made: list[Check] = []
    console = Console(quiet=quiet or as_json)
    with messages(quiet=quiet).status("looking at this machine"):
        for one in examine(kernel=not no_kernel):
            if not made or made[-1].group != one.group:
                console.print(f"{'' if not made else chr(10)}{one.group}", style="bold")
            _show(one, console)
            made.append(one)
    broken = [one for one in made if one.state == "broken"]
    if as_json:
        told = {"is_fine": not broken, "checks": [asdict(one) for one in made]}
        click.echo(json_text(told))
    for one in broken if quiet else ():
        click.echo(f"{one.name}: {one.value}", err=True)
    return int(bool(broken))


# The longest name of a check.
_WIDTH = 19


def _show(one: Check, console: Console) -> None:
    from ackclock.tables.table import Table, styled
    from ackclock.tables.terminal import FACTS, FOLDED, KEPT, Fit, drawn

    mark, style = _MARKS[one.state]
    text = [(one.value, "")]
    if one.remedy:
        text.append((f"\n{one.remedy}", "cyan" if one.state != "fine" else "dim"))
    row = (styled((mark, style)), one.name, styled(*text))
    fits = (Fit(least=2, most=2), KEPT._replace(least=_WIDTH, most=_WIDTH), FOLDED)
    look = FACTS._replace(padding=(0, 1))
    console.print(drawn(Table(("", "", ""), [row], align="rll"), look, fits))
