"""Tables of ``ackclock list cc``: all congestion controls in short, or some in full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.console import RenderableType

__all__ = ["in_full", "in_short"]

_ROLES = {"slow start": "Slow starts", "avoidance": "Avoidances", "whole": "Whole controllers"}
_HOW = {
    "slow start": "Goes before an avoidance: {name}+reno.",
    "avoidance": "Alone it is {slow_start}+{name}; any slow start can go before it.",
    "whole": "Stands alone.",
}


def _number(value: float) -> str:
    return f"{value:g}".replace("e+", "e").replace("e0", "e").replace("e-0", "e-")


def _default(parameter: Mapping[str, Any]) -> str:
    value = parameter["default"]
    if isinstance(value, bool | str):
        return str(value).lower()
    return f"{_number(value)} {parameter['unit']}".rstrip()


def _range(parameter: Mapping[str, Any]) -> str:
    if isinstance(parameter["default"], str):
        return ", ".join(parameter["choices"])
    if parameter["range"] is None:
        return "true, false"
    low, high = parameter["range"]
    return f"{_number(low)} to {_number(high)}"


def _filled(parts: Iterable[Text], width: int) -> Text:
    """`parts` side by side, on as many lines as needed; no part is broken."""
    text, column = Text(), 0
    for part in parts:
        if column and column + 2 + part.cell_len > width:
            text.append("\n")
            column = 0
        elif column:
            text.append("  ")
            column += 2
        text.append_text(part)
        column += part.cell_len
    return text


def _short_parameter(parameter: Mapping[str, Any]) -> Text:
    parts: list[str | tuple[str, str]] = [parameter["name"], " ", (_default(parameter), "cyan")]
    if parameter["range"] is not None:
        low, high = parameter["range"]
        parts.append((f" [{_number(low)}, {_number(high)}]", "dim"))
    return Text.assemble(*parts)


def in_short(entries: Sequence[Mapping[str, Any]], width: int) -> RenderableType:
    """All entries by role, with summary, parameters and reference."""
    indent = max(len(entry["name"]) for entry in entries) + 2
    parts: list[RenderableType] = []
    for role, title in _ROLES.items():
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column(min_width=indent - 2, no_wrap=True)
        table.add_column(overflow="fold")
        chosen = [entry for entry in entries if entry["role"] == role]
        for entry in chosen:
            lines: list[RenderableType] = [Text(entry["summary"])]
            if entry["parameters"]:
                lines.append(_filled(map(_short_parameter, entry["parameters"]), width - indent))
            lines.append(Text(entry["reference"], "dim italic"))
            table.add_row(Text(entry["name"], "bold"), Group(*lines))
        if chosen:
            parts += [Text(title, "bold underline"), table, ""]
    parts += [
        (
            "A slow start and an avoidance are joined by +: cos+reno. Parameters go in brackets: "
            "cubic(beta=0.8). In [ ]: the numbers allowed."
        ),
        (
            "In full: ackclock list cc NAME. A class of your own, in any of these roles: "
            "python:MODULE:CLASS (docs/algorithms/your-own.md)."
        ),
    ]
    return Group(*parts)


def _full(entry: Mapping[str, Any]) -> RenderableType:
    parts: list[RenderableType] = [
        Text.assemble((entry["name"], "bold"), (f"  {entry['role']}", "dim")),
        Text(entry["summary"]),
        "",
    ]
    if entry["parameters"]:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        for title in ("parameter", "default"):
            table.add_column(title, no_wrap=True)
        # Wide enough for a range; choices may need several lines.
        table.add_column("allowed", max_width=20)
        table.add_column("meaning", ratio=1)
        for parameter in entry["parameters"]:
            table.add_row(
                parameter["name"],
                Text(_default(parameter), "cyan"),
                _range(parameter),
                parameter["meaning"],
            )
        parts += [table, ""]
    facts = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    facts.add_column(style="dim", no_wrap=True)
    facts.add_column()
    facts.add_row("use", _HOW[entry["role"]].format_map(entry))
    if entry["implies"]:
        facts.add_row(
            "implies",
            "; ".join(f"transport.{key} = {value}" for key, value in entry["implies"].items()),
        )
    facts.add_row("reference", entry["reference"])
    return Group(*parts, facts)


def in_full(entries: Sequence[Mapping[str, Any]]) -> RenderableType:
    """Each entry with the meaning of its parameters."""
    first, *others = map(_full, entries)
    return Group(first, *(part for other in others for part in ("", other)))
