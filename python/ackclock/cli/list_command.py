"""``ackclock list``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ackclock.cli.near import nearest
from ackclock.cli.options import json_option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.scenario.table import Table

__all__ = ["command"]

_WHAT = ("cc", "qdisc", "app", "profile", "metric")

_Rows = list[dict[str, Any]]


class _What(click.ParamType[str]):
    name = "what"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in _WHAT:
            self.fail(f"'{value}' is none of {', '.join(_WHAT)}{nearest(str(value), _WHAT)}", param, ctx)
        return str(value)


def _tables(tables: Mapping[str, type[Table]]) -> _Rows:
    rows: _Rows = []
    for name, table in tables.items():
        parameters = [
            {
                "name": field.alias or key,
                "default": None if field.is_required() else field.default,
                "required": field.is_required(),
                "meaning": " ".join((field.description or "").split()),
            }
            for key, field in table.model_fields.items()
            if key != "kind"
        ]
        rows.append({"name": name, "summary": " ".join((table.__doc__ or "").split()), "parameters": parameters})
    return rows


def _cc() -> _Rows:
    from ackclock import _core

    return [dict(entry) for entry in _core.list_cc()]


def _qdisc() -> _Rows:
    from ackclock.scenario.qdisc import QDISCS

    return _tables(QDISCS)


def _app() -> _Rows:
    from ackclock.scenario.app import APPS

    return _tables(APPS)


def _profile() -> _Rows:
    from ackclock.scenario.profiles import PROFILE_SUMMARIES, PROFILES, visible

    return [{"name": name, "summary": PROFILE_SUMMARIES[name], "options": visible(options)} for name, options in PROFILES.items()]


def _metric() -> _Rows:
    from ackclock.metrics import METRICS

    return [
        {"name": name, "unit": metric.unit, "of": metric.of, "summary": metric.definition, "source": metric.source}
        for name, metric in METRICS.items()
    ]


_ROWS = {"cc": _cc, "qdisc": _qdisc, "app": _app, "profile": _profile, "metric": _metric}


def _default(parameter: Mapping[str, Any]) -> str:
    if parameter.get("required"):
        return "needed"
    value = parameter["default"]
    text = str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)
    return f"{text} {parameter.get('unit', '')}".rstrip()


def _show(what: str, rows: _Rows) -> None:
    from rich.console import Console, Group, RenderableType
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    def grid(*ratios: int | None) -> Table:
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
        for ratio in ratios:
            table.add_column(ratio=ratio, no_wrap=ratio is None, overflow="fold")
        return table

    parts: list[RenderableType] = []
    if what == "profile":
        parts += [Text.assemble((row["name"], "bold"), "  ", row["summary"]) for row in rows]
        table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
        table.add_column("transport option")
        for row in rows:
            table.add_column(row["name"])
        options = list(dict.fromkeys(option for row in rows for option in row["options"]))
        for option in options:
            values = [row["options"].get(option, "-") for row in rows]
            table.add_row(option, *(str(value).lower() if isinstance(value, bool) else str(value) for value in values))
        parts += ["", table]
    elif what == "metric":
        table = grid(None, None, 1)
        for row in rows:
            table.add_row(Text(row["name"], "bold"), row["unit"], row["summary"])
        parts.append(table)
    else:
        for row in rows:
            role = f" ({row['role']})" if "role" in row else ""
            parts.append(Text.assemble((row["name"], "bold"), (role, "dim"), "  ", row["summary"]))
            if row["parameters"]:
                table = grid(None, None, 1)
                for parameter in row["parameters"]:
                    table.add_row(parameter["name"], Text(_default(parameter), "cyan"), parameter["meaning"])
                parts.append(Padding(table, (0, 0, 0, 4)))
        if what == "cc":
            parts += ["", "A slow start and an avoidance are joined by +: cos+reno. Parameters go in brackets: cubic(beta=0.8)."]
    Console(highlight=False).print(Group(*parts))


@click.command("list")
@click.argument("what", metavar="cc|qdisc|app|profile|metric", type=_What())
@json_option
def command(what: str, as_json: bool) -> None:
    """List what a scenario or a comparison can name.

    \b
    Example:
      ackclock list cc
    """  # noqa: D301
    rows = _ROWS[what]()
    if as_json:
        click.echo(json.dumps(rows, indent=2))
    else:
        _show(what, rows)
