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
        for check in examine(kernel=not no_kernel):
            if not made or made[-1].group != check.group:
                console.print(f"{'' if not made else chr(10)}{check.group}", style="bold")
            _show(check, console)
            made.append(check)
    broken = [check for check in made if check.state == "broken"]
    if as_json:
        document = {"is_fine": not broken, "checks": [asdict(check) for check in made]}
        click.echo(json_text(document))
    for check in broken if quiet else ():
        click.echo(f"{check.name}: {check.value}", err=True)
    return int(bool(broken))


# The longest name of a check.
_WIDTH = 19


def _show(check: Check, console: Console) -> None:
    from ackclock.tables.table import Table, styled
    from ackclock.tables.terminal import FACTS, FOLDED, KEPT, Fit, drawn

    mark, style = _MARKS[check.state]
    text = [(check.value, "")]
    if check.remedy:
        text.append((f"\n{check.remedy}", "cyan" if check.state != "fine" else "dim"))
    row = (styled((mark, style)), check.name, styled(*text))
    fits = (Fit(least=2, most=2), KEPT._replace(least=_WIDTH, most=_WIDTH), FOLDED)
    look = FACTS._replace(padding=(0, 1))
    console.print(drawn(Table(("", "", ""), [row], align="rll"), look, fits))
