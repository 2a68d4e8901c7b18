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
        progress = status_of(existing_folder(folder))
    except (FileNotFoundError, StoreError) as error:
        raise InputError(str(error)) from None
    written = "complete" if progress.written else "complete, results not written"
    state = written if progress.complete else "not finished"
    if as_json:
        document = {
            "name": progress.design.name,
            "state": state,
            "finished": progress.finished,
            "runs": progress.runs,
            "missing": progress.runs - progress.finished,
            "settings": len(progress.design.settings),
            "responses": [response.name for response in progress.design.responses],
            "results_version": _core.RESULTS_VERSION,
            "damaged": progress.damaged,
        }
        click.echo(json.dumps(document, indent=2))
        return
    for sentence in _said(progress, folder, state):
        click.echo(sentence)


def _said(progress: Status, folder: str, state: str) -> Iterator[str]:
    from ackclock import _core

    design = progress.design
    at_least = " at least" if design.stop is not None and state == "not finished" else ""
    share = (
        f" ({100 * progress.finished / progress.runs:.0f} %)"
        if progress.runs and not at_least
        else ""
    )
    yield (
        f"{design.name}: {state}; {progress.finished:,} of{at_least} {progress.runs:,} runs are "
        f"there{share}"
    )
    axes = ", ".join(f"{axis.name} ({len(axis.labels)})" for axis in design.axes) or "none"
    yield (
        f"Axes: {axes}; responses: {', '.join(response.name for response in design.responses)}; "
        f"results version {_core.RESULTS_VERSION}"
    )
    yield from progress.damaged
    if state != "complete":
        damaged = ", those that are damaged too" if progress.damaged else ""
        again = f"ackclock sweep {progress.file} --out {folder}"
        yield (
            f"To go on: the command that began it, or {again}; only what is missing is run{damaged}"
        )
    else:
        yield f"To see it: ackclock sweep show {folder}, or {Path(folder) / 'report.html'}"
