"""``ackclock schema``."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["command"]


@click.command("schema")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File to write, in place of printing.",
)
def command(out: Path | None) -> None:
    """Print the JSON Schema of a scenario, for editors and checkers.

    A first line `#:schema FILE` in a scenario makes editors complete its keys (docs/editors.md).

    \b
    Example:
      ackclock schema --out scenario.schema.json
    """  # noqa: D301
    from ackclock.atomic_io import write_text
    from ackclock.scenario.schema import schema_text

    if out is None:
        click.echo(schema_text(), nl=False)
    else:
        write_text(out, schema_text())
        click.echo(f"Schema: {out}")
