"""``ackclock list``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from ackclock.cli.completion.names import listed
from ackclock.cli.options import plain_text
from ackclock.cli.output import format_option, print_tables
from ackclock.messages import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.scenario.table import Table

__all__ = ["command", "rows_of"]

_WHAT = ("cc", "qdisc", "app", "profile", "metric")

_Rows = list[dict[str, Any]]

# Some defaults are distributions, which would leave too little room for the meanings.
_DEFAULT_WIDTH = 22


class _What(click.ParamType[str]):
    name = "what"

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        return [CompletionItem(kind) for kind in _WHAT if kind.startswith(incomplete)]

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in _WHAT:
            self.fail(
                f"'{value}' is none of {', '.join(_WHAT)}{did_you_mean(str(value), _WHAT)}",
                param,
                ctx,
            )
        return str(value)


def _short(default: Any) -> Any:
    """A default as in a file, where a table without options is written as its kind."""
    return getattr(default, "kind", default)


def _tables(tables: Mapping[str, type[Table]]) -> _Rows:
    rows: _Rows = []
    for name, table in tables.items():
        meanings = table.meanings()
        parameters = [
            {
                "name": field.alias or key,
                "default": None
                if field.is_required()
                else _short(field.get_default(call_default_factory=True, validated_data={})),
                "required": field.is_required(),
                "meaning": " ".join(meanings.get(field.alias or key, "").split()),
            }
            for key, field in table.model_fields.items()
            if key != "kind"
        ]
        rows.append(
            {
                "name": name,
                "summary": " ".join((table.__doc__ or "").split()),
                "parameters": parameters,
            }
        )
    return rows


def _cc() -> _Rows:
    from ackclock import _core

    return [dict(entry) for entry in _core.list_cc()]


def _qdisc() -> _Rows:
    from ackclock.catalogue.disciplines import traits
    from ackclock.scenario.qdisc import QDISCS

    rows = _tables(QDISCS)
    for row, discipline in zip(rows, QDISCS.values(), strict=True):
        row["traits"] = dict(traits()[row["name"]])
        row["summary"] += f" Limit of a link that gives none: {discipline.default_limit}."
    return rows


def _app() -> _Rows:
    from ackclock.scenario.app import APPS

    return _tables(APPS)


def _profile() -> _Rows:
    from ackclock.scenario.profiles import PROFILE_SUMMARIES, PROFILES, visible

    return [
        {"name": name, "summary": PROFILE_SUMMARIES[name], "options": visible(options)}
        for name, options in PROFILES.items()
    ]


def _metric() -> _Rows:
    from ackclock.metrics import METRICS

    return [
        {
            "name": name,
            "unit": metric.unit,
            "of": metric.of,
            "summary": metric.definition,
            "source": metric.source,
            "needs": list(metric.needs),
            "parameters": sorted(metric.parameters),
        }
        for name, metric in METRICS.items()
    ]


_KINDS = {"cc": _cc, "qdisc": _qdisc, "app": _app, "profile": _profile, "metric": _metric}


def rows_of(kind: str) -> _Rows:
    """A row for each name of a kind: cc, qdisc, app, profile, metric."""
    return _KINDS[kind]()


def _default(parameter: Mapping[str, Any]) -> str:
    if parameter.get("required"):
        return "needed"
    value = parameter["default"]
    if value is None:
        return "–"
    if isinstance(value, list):
        return ", ".join(str(entry) for entry in value)
    return f"{plain_text(value)} {parameter.get('unit', '')}".rstrip()


def _show(what: str, rows: _Rows, *, in_full: bool) -> None:
    from rich.console import Group, RenderableType
    from rich.text import Text

    from ackclock.cli.console import Console
    from ackclock.tables.table import Table, styled
    from ackclock.tables.terminal import FACTS, FOLDED, KEPT, REST, WIDE, drawn

    console = Console()
    parts: list[RenderableType] = []
    if what == "cc":
        from ackclock.cli import list_cc

        parts.append(list_cc.in_full(rows) if in_full else list_cc.in_short(rows, console.width))
    elif what == "profile":
        parts += [Text.assemble((row["name"], "bold"), "  ", row["summary"]) for row in rows]
        options = list(dict.fromkeys(option for row in rows for option in row["options"]))
        lines = []
        for option in options:
            values = [row["options"].get(option, "-") for row in rows]
            texts = [
                str(value).lower() if isinstance(value, bool) else str(value) for value in values
            ]
            lines.append((option, *texts))
        header = ("transport option", *(row["name"] for row in rows))
        parts += ["", drawn(Table(header, lines, len(header)), WIDE._replace(head=""))]
    elif what == "metric":
        lines = []
        for row in rows:
            needs = [f"needs {', '.join(row['needs'])}"] if row["needs"] else []
            named = ", ".join(f"{name}=" for name in row["parameters"])
            parameters = [f"({named})"] if named else []
            notes = " · ".join([*parameters, *needs, row["source"]])
            about = styled(row["summary"], "\n", (notes, "dim"))
            lines.append((styled((row["name"], "bold")), row["unit"], about))
        parts.append(drawn(Table(("", "", ""), lines, 3), FACTS, (KEPT, KEPT, REST)))
    else:
        for row in rows:
            parts.append(Text.assemble((row["name"], "bold"), "  ", row["summary"]))
            if row["parameters"]:
                lines = [
                    (parameter["name"], styled((_default(parameter), "cyan")), parameter["meaning"])
                    for parameter in row["parameters"]
                ]
                fits = (KEPT, FOLDED._replace(most=_DEFAULT_WIDTH), REST)
                parts.append(drawn(Table(("", "", ""), lines, 3), FACTS, fits, indent=4))
    console.print(Group(*parts))


def _named(what: str, rows: _Rows, names: tuple[str, ...]) -> _Rows:
    """The rows with these names, in this order; all rows without names."""
    known = {row["name"]: row for row in rows}
    for name in names:
        if name not in known:
            near = did_you_mean(name, known)
            raise click.UsageError(
                f"there is no {what} '{name}'{near} (all of them: ackclock list {what})"
            )
    return [known[name] for name in names] if names else rows


@click.command("list")
@click.argument("what", metavar="cc|qdisc|app|profile|metric", type=_What())
@click.argument("names", metavar="[NAME]...", nargs=-1, shell_complete=listed)
@format_option
def command(what: str, names: tuple[str, ...], form: str | None, as_json: bool) -> None:
    """List algorithms, disciplines, applications, profiles or metrics for a scenario.

    With NAMEs, show these only, in full.

    \b
    Example:
      ackclock list cc
      ackclock list cc cubic
    """  # noqa: D301
    rows = _named(what, rows_of(what), names)
    if as_json:
        click.echo(json.dumps(rows, indent=2))
    elif form is not None:
        from ackclock.cli.list_tables import list_table

        table = list_table(what, rows)
        print_tables({what: table}, form)
    else:
        _show(what, rows, in_full=bool(names))
