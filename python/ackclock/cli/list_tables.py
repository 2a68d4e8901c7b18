"""Tables of ``ackclock list`` for files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.cli.options import plain_text
from ackclock.tables.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["list_table"]

_TITLES = {
    "cc": "Congestion controls",
    "qdisc": "Queue disciplines",
    "app": "Applications",
    "profile": "Profiles of the transport",
    "metric": "Metrics",
}


def list_table(what: str, rows: Sequence[Mapping[str, Any]]) -> Table:
    """The listed entries, a row each; of profiles a row per option and a column per profile."""
    if what == "profile":
        options = list(dict.fromkeys(option for row in rows for option in row["options"]))
        columns = [Column("transport option", options)]
        columns += [
            Column(row["name"], [_value(row["options"].get(option)) for option in options])
            for row in rows
        ]
        return Table.of(what, _TITLES[what], columns, names=len(columns))
    columns = [Column("name", [row["name"] for row in rows])]
    columns += [
        Column(title, [_text(row[key]) for row in rows])
        for title, key in (
            ("role", "role"),
            ("unit", "unit"),
            ("parameters", "parameters"),
            ("needs", "needs"),
            ("meaning", "summary"),
            ("reference", "reference"),
            ("source", "source"),
        )
        if key in rows[0]
    ]
    return Table.of(what, _TITLES[what], columns, names=len(columns))


def _value(value: Any) -> str | None:
    return None if value is None else plain_text(value)


def _text(value: Any) -> str:
    """A cell: text as it is, parameters as `name=default`."""
    if isinstance(value, str):
        return value
    return ", ".join(entry if isinstance(entry, str) else _parameter(entry) for entry in value)


def _parameter(parameter: Mapping[str, Any]) -> str:
    default = parameter.get("default")
    return parameter["name"] if default is None else f"{parameter['name']}={plain_text(default)}"
