"""``ackclock schema``."""

from __future__ import annotations

import json

import click

__all__ = ["command"]


@click.command("schema")
def command() -> None:
    """Print the JSON Schema of a scenario, for editors and checkers.

    \b
    Example:
      ackclock schema > scenario.schema.json
    """  # noqa: D301
    from ackclock.scenario import Scenario

    click.echo(json.dumps(Scenario.json_schema(), indent=2))
