"""Tables of ``ackclock list cc``: all congestion controls in short, or some in full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.console import Group
from rich.text import Text

from ackclock.tables.table import Styled, Table, styled
from ackclock.tables.terminal import FACTS, FOLDED, KEPT, WIDE, WRAPPED, drawn, facts

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


def _filled(parts: Iterable[Styled], width: int) -> Styled:
    """`parts` side by side, on as many lines as needed; no part is broken."""
    filled: list[tuple[str, str]] = []
    column = 0
    for part in parts:
        if column and column + 2 + cell_len(part) > width:
            filled.append(("\n", ""))
            column = 0
        elif column:
            filled.append(("  ", ""))
            column += 2
        filled += part.parts
        column += cell_len(part)
    return styled(*filled)


def _short_parameter(parameter: Mapping[str, Any]) -> Styled:
    parts: list[str | tuple[str, str]] = [parameter["name"], " ", (_default(parameter), "cyan")]
    if parameter["range"] is not None:
        low, high = parameter["range"]
        parts.append((f" [{_number(low)}, {_number(high)}]", "dim"))
    return styled(*parts)


def in_short(entries: Sequence[Mapping[str, Any]], width: int) -> RenderableType:
    """All entries by role, with summary, parameters and reference."""
    indent = max(len(entry["name"]) for entry in entries) + 2
    parts: list[RenderableType] = []
    for role, title in _ROLES.items():
        rows = []
        for entry in entries:
            if entry["role"] != role:
                continue
            lines: list[str | tuple[str, str]] = [entry["summary"], "\n"]
            if entry["parameters"]:
                filled = _filled(map(_short_parameter, entry["parameters"]), width - indent)
                lines += [*filled.parts, "\n"]
            lines.append((entry["reference"], "dim italic"))
            rows.append((styled((entry["name"], "bold")), styled(*lines)))
        if rows:
            fits = (KEPT._replace(least=indent - 2), FOLDED)
            table = drawn(Table(("", ""), rows, 2), FACTS, fits)
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


_SIGNS = {"loss": "a loss", "marks": "a mark", "delay": "a growing queue"}


def _traits(entry: Mapping[str, Any]) -> dict[str, str]:
    """Traits of an algorithm in words."""
    traits = entry["traits"]
    is_start = entry["role"] == "slow start"
    signs = [words for sign, words in _SIGNS.items() if traits["answers"][sign]]
    none = "ssthresh, and a loss or a mark" if is_start else "no single loss, mark or delay"
    is_like = {
        "draws random numbers": traits["draws"],
        "needs an ssthresh": traits["needs_ssthresh"],
        "gives way to others": traits["gives_way"],
    }
    laws = [*traits["response"], *filter(None, (traits["tolerance"], traits["utilisation"]))]
    rows = {
        "ends at" if is_start else "answers": ", ".join(signs) or none,
        "also": ", ".join(words for words, holds in is_like.items() if holds),
        "theory": "; ".join(f"{law['function']}: {law['source']}" for law in laws),
        "phases": ", ".join(traits["phases"]["names"] if traits["phases"] else ()),
    }
    return {name: words for name, words in rows.items() if words}


def _full(entry: Mapping[str, Any]) -> RenderableType:
    parts: list[RenderableType] = [
        Text.assemble((entry["name"], "bold"), (f"  {entry['role']}", "dim")),
        Text(entry["summary"]),
        "",
    ]
    if entry["parameters"]:
        rows = [
            (
                parameter["name"],
                styled((_default(parameter), "cyan")),
                _range(parameter),
                parameter["meaning"],
            )
            for parameter in entry["parameters"]
        ]
        table = Table(("parameter", "default", "allowed", "meaning"), rows, 4)
        # Wide enough for a range; choices may need several lines.
        fits = (KEPT, KEPT, WRAPPED._replace(most=20), WRAPPED._replace(is_rest=True))
        parts += [drawn(table, WIDE._replace(padding=(0, 2)), fits), ""]
    use = [("use", _HOW[entry["role"]].format_map(entry))]
    if entry["implies"]:
        implied = "; ".join(f"transport.{key} = {value}" for key, value in entry["implies"].items())
        use.append(("implies", implied))
    use += [*_traits(entry).items(), ("reference", entry["reference"])]
    return Group(*parts, facts((styled((name, "dim")), fact) for name, fact in use))


def in_full(entries: Sequence[Mapping[str, Any]]) -> RenderableType:
    """Each entry with the meaning of its parameters."""
    first, *others = map(_full, entries)
    return Group(first, *(part for other in others for part in ("", other)))
