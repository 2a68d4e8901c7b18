"""Options that several commands have."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import click

__all__ = ["Real", "force_option", "json_option", "out_option", "quiet_option", "seed_option", "set_option", "split_list"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


class Real(click.FloatRange):
    """A number within bounds; click takes "nan" for one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read it."""
        found = super().convert(value, param, ctx)
        if not math.isfinite(found):
            self.fail(f"{value!r} is not a valid float.", param, ctx)
        return float(found)


def set_option(function: _Command) -> _Command:
    """``--set``."""
    return click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        help="Another value for a key of the scenario, dotted: network.bottleneck.rate=5Mbit/s; flows.count=5 for every entry of flows, "
        "flows.0.count=5 or flows.NAME.count=5 for one. Repeatable.",
    )(function)


def seed_option(function: _Command) -> _Command:
    """``--seed``."""
    return click.option("--seed", type=int, metavar="N", help="Another seed.")(function)


def out_option(default: str) -> Callable[[_Command], _Command]:
    """``--out``."""
    return click.option(
        "--out",
        metavar="DIR",
        type=click.Path(),
        help=f"Folder of the results [default: {default}]. Earlier results there are replaced; any other folder is left alone.",
    )


def json_option(function: _Command) -> _Command:
    """``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output, and nothing else there.")(function)


def force_option(function: _Command) -> _Command:
    """``--force``."""
    return click.option("--force", is_flag=True, help="Run even what does not fit into memory or onto the disk, as far as can be told.")(
        function
    )


def quiet_option(function: _Command) -> _Command:
    """``--quiet``."""
    return click.option("--quiet", "-q", is_flag=True, help="Print nothing but errors (and what --json asks for).")(function)


def split_list(text: str) -> list[str]:
    """Split at the commas that are outside of brackets and quotes: ``cubic(beta=0.8,c=0.4),reno`` has two parts."""
    parts, depth, quote, part = [], 0, "", ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(part.strip())
            part = ""
            continue
        part += letter
    parts.append(part.strip())
    return parts
