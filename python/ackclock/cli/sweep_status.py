"""``ackclock sweep status``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ackclock.cli.completion.names import results
from ackclock.cli.errors import InputError
from ackclock.cli.options import json_option
from ackclock.cli.target import existing_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ackclock.sweeps.status import Status

__all__ = ["status"]


@click.command("status")
@click.argument("folder", metavar="DIR", type=click.Path(), shell_complete=results)
@json_option
def status(folder: str, as_json: bool) -> None:
    """Show the progress of the sweep in DIR, and verify every run's checksum.

    \b
    Example:
      ackclock sweep status runs/buffer-size-sweep
    """  # noqa: D301
    from ackclock import _core
    from ackclock.sweeps.status import status_of
    from ackclock.sweeps.store import StoreError

    try:
        found = status_of(existing_folder(folder))
    except (FileNotFoundError, StoreError) as error:
        raise InputError(str(error)) from None
    written = "complete" if found.written else "complete, results not written"
    state = written if found.complete else "not finished"
    if as_json:
        told = {
            "name": found.design.name,
            "state": state,
            "finished": found.finished,
            "runs": found.runs,
            "missing": found.runs - found.finished,
            "settings": len(found.design.settings),
            "responses": [response.name for response in found.design.responses],
            "results_version": _core.RESULTS_VERSION,
            "damaged": found.damaged,
        }
        click.echo(json.dumps(told, indent=2))
        return
    for sentence in _said(found, folder, state):
        click.echo(sentence)


def _said(found: Status, folder: str, state: str) -> Iterator[str]:
    from ackclock import _core

    design = found.design
    at_least = " at least" if design.stop is not None and state == "not finished" else ""
    share = f" ({100 * found.finished / found.runs:.0f} %)" if found.runs and not at_least else ""
    yield (
        f"{design.name}: {state}; {found.finished:,} of{at_least} {found.runs:,} runs are "
        f"there{share}"
    )
    axes = ", ".join(f"{axis.name} ({len(axis.labels)})" for axis in design.axes) or "none"
    yield (
        f"Axes: {axes}; responses: {', '.join(response.name for response in design.responses)}; "
        f"results version {_core.RESULTS_VERSION}"
    )
    yield from found.damaged
    if state != "complete":
        damaged = ", those that are damaged too" if found.damaged else ""
        again = f"ackclock sweep {found.file} --out {folder}"
        yield (
            f"To go on: the command that began it, or {again}; only what is missing is run{damaged}"
        )
    else:
        yield f"To see it: ackclock sweep show {folder}, or {Path(folder) / 'report.html'}"
