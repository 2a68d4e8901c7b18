"""``ackclock theory``."""

from __future__ import annotations

import json
import math
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ackclock.cli.completion.names import names_of
from ackclock.cli.errors import InputError
from ackclock.cli.figure_options import figure_options
from ackclock.cli.options import plain_text
from ackclock.cli.output import format_option, print_tables
from ackclock.messages import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from click.shell_completion import CompletionItem

    from ackclock.theory.catalogue import Formula, Parameter
    from ackclock.theory.evaluating import Call, Evaluation
    from ackclock.views.figure_options import Options

__all__ = ["command"]

_MOST_ROWS = 100_000


class _ByName(click.Command):
    """`theory` lists formulas; `theory NAME` has the formula's arguments as options."""

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete an option, or the name of a formula."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        return names_of("formula", incomplete)

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Hand over to the formula that the first word names."""
        if not args or args[0].startswith("-"):
            return super().make_context(info_name, args, parent, **extra)
        from ackclock.theory.catalogue import formulas

        name = args[0].replace("-", "_")
        formula = formulas().get(name)
        if formula is None:
            raise InputError(
                f"there is no formula '{args[0]}', as ackclock theory lists "
                f"them{did_you_mean(name, formulas())}"
            )
        return _command_of(formula).make_context(
            f"{info_name} {args[0]}", [_dashed(word) for word in args[1:]], parent, **extra
        )


def _dashed(word: str) -> str:
    """An option with dashes, also if it is spelt as in Python: --loss_rate=1e-3."""
    name, equals, value = word.partition("=")
    return name.replace("_", "-") + equals + value if name.startswith("--") else word


@click.command("theory", cls=_ByName)
@format_option
def command(form: str | None, as_json: bool) -> None:
    """List the formulas of ackclock.theory; with a NAME, evaluate one.

    Times, rates and sizes are written as in a scenario (60ms, 10Mbit/s, 30kB), or as numbers in the
    unit that --help gives. Several values, 1,2,4, or a range, 10ms..500ms or 1e-5..0.1:50, make a
    table.

    \b
    Examples:
      ackclock theory
      ackclock theory pftk_rate --help
      ackclock theory rule_of_thumb --rate 10Mbit/s --rtt 60ms
      ackclock theory pftk_rate --loss-rate 1e-4..0.1 --rtt 100ms --plot pftk.svg
    """  # noqa: D301
    from ackclock.cli.theory_values import list_table
    from ackclock.theory.catalogue import formulas

    if as_json:
        click.echo(json.dumps([_described(formula) for formula in formulas().values()], indent=2))
    elif form is not None:
        table = list_table(list(formulas().values()))
        print_tables({table.name: table}, form)
    else:
        _show_list(list(formulas().values()))


def _described(formula: Formula) -> dict[str, Any]:
    return {
        "name": formula.name,
        "subject": formula.subject,
        "meaning": formula.meaning,
        "unit": formula.unit,
        "notes": formula.notes,
        "parameters": [
            {
                "name": parameter.name,
                "meaning": parameter.meaning,
                "unit": parameter.unit,
                "needed": parameter.needed,
                "default": None if parameter.needed else _plain(parameter.default),
            }
            for parameter in formula.parameters
        ],
        "from_python_alone": not formula.in_words,
    }


def _show_list(formulas: Sequence[Formula]) -> None:
    from rich.text import Text

    from ackclock.cli.console import Console
    from ackclock.tables.table import Table, styled
    from ackclock.tables.terminal import FACTS, KEPT, REST, drawn

    console = Console()
    for number, subject in enumerate(dict.fromkeys(formula.subject for formula in formulas)):
        rows = [
            (
                styled((formula.name, "bold")),
                formula.meaning if formula.in_words else f"{formula.meaning} (From Python.)",
            )
            for formula in formulas
            if formula.subject == subject
        ]
        if number:
            console.print()
        console.print(Text(subject, "cyan"))
        console.print(drawn(Table(("", ""), rows, 2), FACTS, (KEPT, REST), indent=2))


def _command_of(formula: Formula) -> click.Command:
    own = [_option_of(parameter) for parameter in formula.parameters if parameter.kind != "python"]
    if _counts_packets(formula):
        help_text = "Size of a packet on the wire, for rates and sizes here [default: 1500 bytes]."
        own.append(
            click.Option(
                ["--packet-size", "wire_packet"],
                metavar="SIZE",
                default="1500 bytes",
                help=help_text,
            )
        )
    own.append(
        click.Option(
            ["--plot"],
            metavar="FILE",
            type=click.Path(),
            help="Draw the formula over the varied arguments: FILE.svg, .pdf, .png or .pgf.",
        )
    )
    return _with_format(
        click.Command(
            formula.name,
            callback=_evaluator(formula),
            params=list(own),
            help=f"{formula.meaning}\n\n{formula.notes}".strip(),
        )
    )


def _with_format(command: click.Command) -> click.Command:
    """A command with ``--format``, ``--json`` and the options of figures."""
    callback = command.callback
    assert callback is not None
    called = figure_options(format_option(callback))
    command.callback = called
    command.params += reversed(called.__click_params__)  # type: ignore[attr-defined]
    return command


def _counts_packets(formula: Formula) -> bool:
    names = {parameter.name for parameter in formula.parameters}
    return "packet_size" not in names and any(
        parameter.unit in ("packets", "packets/s") for parameter in formula.parameters
    )


def _option_of(parameter: Parameter) -> click.Option:
    note = " [needed]" if parameter.needed else ""
    if not parameter.needed and parameter.default is not None:
        note = f" [default: {plain_text(parameter.default)}]"
    metavar = {"flag": "true|false", "text": "TEXT", "lists": "A,B;C"}.get(parameter.kind, "VALUE")
    return click.Option(
        [f"--{parameter.name.replace('_', '-')}", parameter.name],
        multiple=True,
        metavar=metavar,
        help=f"{parameter.meaning}{note}",
    )


def _evaluator(formula: Formula) -> Callable[..., None]:
    def evaluate(
        plot: str | None,
        look: Options,
        form: str | None,
        as_json: bool,
        wire_packet: str = "1500 bytes",
        **given: tuple[str, ...],
    ) -> None:
        from ackclock.cli.theory_values import values_table
        from ackclock.theory.evaluating import FormulaError, evaluated

        if not formula.in_words:
            raise InputError(
                f"{formula.name}: an argument of it is a function; call "
                f"ackclock.theory.{formula.name} from Python"
            )
        try:
            combinations, packet_bytes = _combinations(formula, given, wire_packet)
            evaluation = evaluated(formula, combinations)
        except FormulaError as error:
            raise InputError(str(error)) from None
        if look and plot is None:
            raise InputError(f"--{next(iter(look)).replace('_', '-')}: goes with --plot FILE")
        if plot is not None:
            _draw(evaluation, plot, look)
        if as_json:
            rows = [
                {
                    "arguments": _plain(call.arguments),
                    "result": _plain(call.result),
                    **_in_other_units(formula, call, packet_bytes),
                }
                for call in evaluation.calls
            ]
            document = {"name": formula.name, "meaning": formula.meaning, "unit": formula.unit}
            click.echo(json.dumps({**document, "rows": rows}, indent=2, allow_nan=False))
        elif form is not None:
            table = values_table(evaluation)
            print_tables({table.name: table}, form)
        else:
            _show(
                evaluation,
                [_in_other_units(formula, call, packet_bytes) for call in evaluation.calls],
            )
        if plot is not None:
            click.echo(f"Figure: {plot}", err=True)

    return evaluate


def _combinations(
    formula: Formula, given: Mapping[str, tuple[str, ...]], wire_packet: str
) -> tuple[list[dict[str, Any]], int]:
    """Arguments of every evaluation, and the size of a packet, bytes."""
    from ackclock.cli.theory_values import values_of
    from ackclock.scenario.quantities import size_bytes

    missing = [
        f"--{parameter.name.replace('_', '-')}"
        for parameter in formula.parameters
        if parameter.needed and not given[parameter.name]
    ]
    if missing:
        raise InputError(
            f"{formula.name} needs {', '.join(missing)}; ackclock theory {formula.name} --help "
            "describes them"
        )
    try:
        size = size_bytes(wire_packet)
    except (ValueError, OverflowError) as error:
        raise InputError(f"--packet-size: {error}") from None
    if size == 0:
        raise InputError("--packet-size: a packet has a byte at least")
    values = {
        parameter.name: values_of(parameter, given[parameter.name], size)
        for parameter in formula.parameters
        if given[parameter.name]
    }
    count = math.prod(len(several) for several in values.values())
    if count > _MOST_ROWS:
        raise InputError(f"{count:,} combinations of values: no more than {_MOST_ROWS:,}")
    return [
        dict(zip(values, combination, strict=True)) for combination in product(*values.values())
    ], size


_UNITS = {"bytes": "bytes", "seconds": "s", "bdp": "BDP"}

# Subject of the formulas that give packets of a queue, which are also bytes and queueing delay.
_BUFFERS = "Rules for the size of a router's buffer"


def _in_other_units(formula: Formula, call: Call, packet_bytes: int) -> dict[str, float]:
    """A buffer of packets in bytes and, if rate and RTT are given, in seconds and BDP."""
    if (
        formula.unit != "packets"
        or formula.subject != _BUFFERS
        or not isinstance(call.result, int | float)
    ):
        return {}
    by_unit = {"bytes": float(call.result) * packet_bytes}
    if call.arguments.get("rate"):
        by_unit["seconds"] = float(call.result) / call.arguments["rate"]
        if call.arguments.get("rtt"):
            by_unit["bdp"] = by_unit["seconds"] / call.arguments["rtt"]
    return by_unit


def _plain(value: Any) -> Any:
    """A formula's argument or result as JSON: NaN is null, infinities are words."""
    from dataclasses import fields, is_dataclass

    import numpy as np

    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value


def _show(evaluation: Evaluation, others: Sequence[Mapping[str, float]]) -> None:
    """Show one value in a line, several in a table; `others` are the values in other units."""
    from ackclock.cli.console import Console
    from ackclock.tables.quantities import quantity, scale_of, significant
    from ackclock.tables.table import Table
    from ackclock.tables.terminal import BARE, FOLDED, KEPT, drawn

    console = Console()
    if len(evaluation.rows) == 1 and not evaluation.varied:
        (row,) = evaluation.rows
        for name, value in row.items():
            text = f"{_digits(value)} {evaluation.unit(name) or ''}".rstrip()
            if name == "value" and others[0]:
                text += "".join(
                    f" = {quantity(other, _UNITS[unit])}" for unit, other in others[0].items()
                )
            console.print(
                text if name == "value" else f"{evaluation.name(name)}: {text}", soft_wrap=True
            )
        return
    names = evaluation.rows[0]
    texts = [any(isinstance(row.get(name), str) for row in evaluation.rows) for name in names]
    # A column for each other unit, unless a result takes several rows.
    more = others[0] if len(others) == len(evaluation.rows) else {}
    scales = {
        unit: scale_of(max(abs(by_unit[unit]) for by_unit in others), _UNITS[unit]) for unit in more
    }
    rows = [
        (
            *(_digits(row.get(name), 4) for name in names),
            *(significant(other[unit] / factor, 4) for unit, (factor, _) in scales.items()),
        )
        for row, other in zip(
            evaluation.rows, others if more else [{}] * len(evaluation.rows), strict=True
        )
    ]
    header = [
        *(evaluation.heading(name).replace(" ", "\n") for name in names),
        *(f"in\n{symbol}" for _, symbol in scales.values()),
    ]
    fits = [FOLDED._replace(least=8) if is_text else KEPT for is_text in texts]
    console.print(drawn(Table(header, rows, 0), BARE._replace(fit=KEPT), fits))


def _digits(value: Any, digits: int = 6) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        whole = (
            math.isfinite(value)
            and abs(value) < 1e12
            and (value.is_integer() or abs(value) >= 10**digits)
        )
        return f"{value:.0f}" if whole else f"{value:.{digits}g}"
    return str(value)


def _draw(evaluation: Evaluation, plot: str, look: Options) -> None:
    from ackclock.cli.target import check_target_file
    from ackclock.runtime.extras import require

    require("plots")
    check_target_file(Path(plot), "--plot")
    from ackclock.plot.formula import draw

    try:
        draw(evaluation, **look).write(plot)
    except ValueError as error:
        raise InputError(f"--plot: {error}") from None
