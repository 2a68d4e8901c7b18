"""Options that several commands have."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import click

from ackclock.cli.errors import InputError
from ackclock.messages import did_you_mean

__all__ = [
    "Command",
    "OneOf",
    "Real",
    "Whole",
    "decorated",
    "force_option",
    "json_option",
    "no_report_option",
    "out_option",
    "plain_text",
    "quiet_option",
    "scenario_options",
    "set_option",
    "split_list",
    "store_option",
    "workers_option",
]

Command = TypeVar("Command", bound=Callable[..., Any])


class Real(click.FloatRange):
    """A finite number within bounds; click would accept "nan"."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read a number."""
        if isinstance(value, str) and not value.isascii():
            self.fail(f"{value!r} is not a valid float.", param, ctx)
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a valid float.", param, ctx)
        return float(number)

    def _describe_range(self) -> str:
        return _range_of(self, super()._describe_range())


class Whole(click.IntRange):
    """A whole number within bounds; click would accept the digits of any script."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read a number."""
        if isinstance(value, str) and not value.isascii():
            self.fail(f"{value!r} is not a valid integer.", param, ctx)
        return int(super().convert(value, param, ctx))

    def _describe_range(self) -> str:
        return _range_of(self, super()._describe_range())


def _range_of(kind: click.IntRange | click.FloatRange, described: str) -> str:
    """The range that a help shows; click writes "x<=None" for one without bounds."""
    return "" if kind.min is None and kind.max is None else described


class OneOf(click.Choice[str]):
    """One of a few words; an error names the nearest."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Read a word."""
        if value not in self.choices:
            words = ", ".join(self.choices)
            self.fail(
                f"'{value}' is none of {words}{did_you_mean(value, self.choices)}", param, ctx
            )
        return str(value)


set_option = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="Another value for a key of the scenario, dotted: network.bottleneck.rate=5Mbit/s; "
    "flows.count=5 for every entry of flows, "
    "flows.0.count=5 or flows.NAME.count=5 for one. Repeatable.",
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON on standard output, and nothing else there."
)
force_option = click.option(
    "--force", is_flag=True, help="Run even if the estimate exceeds the free memory or disk."
)
quiet_option = click.option(
    "--quiet", "-q", is_flag=True, help="Print errors only (and the JSON of --json)."
)
workers_option = click.option(
    "--workers",
    metavar="N",
    type=Whole(1, 1024),
    help="Runs at the same time [default: one per core].",
)
no_report_option = click.option(
    "--no-report",
    "--no-plots",
    "no_report",
    is_flag=True,
    help="Leave out the report, which takes longer than most runs (earlier name: --no-plots).",
)


def out_option(text: str) -> Callable[[Command], Command]:
    """``--out``: the folder of what a command writes."""
    return click.option("--out", metavar="DIR", type=click.Path(), help=text)


def store_option(
    text: str = "Folder of the runs, found again next time [default: runs in --out].",
) -> Callable[[Command], Command]:
    """``--store``: the folder of runs that are made once."""
    return click.option("--store", metavar="DIR", type=click.Path(), help=text)


def decorated(function: Command, *options: Callable[[Command], Command]) -> Command:
    """A command with these options, in this order."""
    for option in reversed(options):
        function = option(function)
    return function


def scenario_options(
    out: str, output: Callable[[Command], Command]
) -> Callable[[Command], Command]:
    """Options of all commands that run scenarios.

    `out` names the default folder of results; `output` adds the options of the output.
    """

    def decorate(function: Command) -> Command:
        return decorated(
            function,
            set_option,
            click.option("--seed", type=Whole(), metavar="N", help="Another seed."),
            out_option(
                f"Folder of the results [default: {out}]. Earlier results there are replaced; any "
                "other folder is left alone."
            ),
            force_option,
            output,
        )

    return decorate


def plain_text(value: Any) -> str:
    """A value as in a scenario: true, 0.5, text."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def split_list(text: str) -> list[str]:
    """Split at commas, but not inside brackets and quotes as in ``cubic(beta=0.8,c=0.4),reno``."""
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


def held_values(texts: tuple[str, ...]) -> dict[str, str]:
    """Read what `--at AXIS=VALUE` holds, by axis."""
    held = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise InputError(f"--at: '{text}' is not AXIS=VALUE, such as cc=reno")
        held[name.strip()] = value.strip()
    return held
