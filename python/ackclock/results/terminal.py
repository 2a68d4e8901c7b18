"""Shows results in a terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ackclock.formulas.parts import sharing, whole
from ackclock.results.diagnosis.sentences import LOOKED_AT, NOT_KNOWN
from ackclock.results.groups import by_cc, rows, shapes
from ackclock.results.provenance import timing_line
from ackclock.results.queue_limits import queue_lines
from ackclock.results.streams import stream_table
from ackclock.results.text import Quantity, one_unit, quantity, short_cc
from ackclock.results.transfers import transfer_table

if TYPE_CHECKING:
    import polars as pl

    from ackclock.results.diagnosis import Diagnosis
    from ackclock.results.result import Result

MOST_FLOWS = 12
"""Largest number of flows with a row each; more share a row per congestion control. Subflows are
shown only if there is room for all.
"""

MOST_LINKS = 6
_LINE = 18


def result_view(result: "Result") -> RenderableType:
    """Yield the diagnosis, tables of flows and links, the run's figures and its warnings."""
    summary = result.summary()
    # For one flow it is always 1.
    jain = (
        f"Jain's index {quantity(summary['jain_index'], '1')} · "
        if len(sharing(summary["flows"])) > 1
        else ""
    )
    many = len(whole(summary["flows"])) > MOST_FLOWS
    parts: list[RenderableType] = [*diagnosis_lines(result.diagnosis)]
    parts.append(_groups(summary["flows"]) if many else _flows(summary["flows"]))
    if result.streams.height:
        parts.append(_streams(result.streams.to_dicts()))
    if result.transfers.height:
        parts.append(_transfers(result.transfers, result.warmup))
    parts.append(_links(summary["links"]))
    parts.extend(_queues(result))
    how = "simulated" if result.provenance is None else "in real time"
    parts.append(Text(f"{jain}{quantity(summary['end_time'], 's')} {how}"))
    if result.provenance is not None:
        parts.append(Text(timing_line(result.provenance, summary["end_time"])))
    parts.extend(warning_lines(summary["warnings"]))
    return Group(*parts)


MOST_DIAGNOSES = 8
"""Largest number of paragraphs of a diagnosis; the report has the others."""


def diagnosis_lines(diagnosis: "Diagnosis") -> list[Text]:
    """Yield a paragraph per flow or group of like flows: what limited it."""
    lines = diagnosis.lines
    shown = [_diagnosis_line(line) for line in lines[:MOST_DIAGNOSES]]
    if len(lines) > MOST_DIAGNOSES:
        shown.append(
            Text(
                f"… {len(lines) - MOST_DIAGNOSES} more lines of the diagnosis in the report",
                style="dim",
            )
        )
    return shown


def _diagnosis_line(line: str) -> Text:
    if line.startswith((LOOKED_AT, NOT_KNOWN)):
        return Text(line, style="dim")
    text = Text(line)
    text.stylize("bold", 0, line.find(": ") + 1)
    return text


def warning_lines(warnings: Sequence[str]) -> list[Text]:
    """Yield one yellow paragraph per warning."""
    return [Text.assemble(("warning: ", "bold yellow"), warning) for warning in warnings]


def _flows(flows: Sequence[Any]) -> Table:
    # A column of dashes is left out: names need its width.
    ends = any(flow["fct"] is not None for flow in flows)
    done = ["done\nafter"] if ends else []
    table = _table(
        "flow", "cc", "goodput", "lost", "loss\nrate", "time-\nouts", "RTT\nmean", "RTT\np95", *done
    )
    shown = flows if len(flows) <= MOST_FLOWS else whole(flows)
    cells = one_unit(
        (
            "" if flow["part_of"] is not None else short_cc(flow["cc"]),
            Quantity(flow["goodput"], "bit/s"),
            str(flow["lost_packets"]),
            Quantity(flow["loss_rate"], "%"),
            str(flow["timeouts"]),
            Quantity(flow["rtt"]["mean"], "s", "RTT"),
            Quantity(flow["rtt"]["p95"], "s", "RTT"),
            *([Quantity(flow["fct"], "s")] if ends else []),
        )
        for flow in shown
    )
    for flow, row in zip(shown, cells, strict=True):
        is_part = flow["part_of"] is not None
        name = Text(f"  {flow['name']}" if is_part else flow["name"])
        table.add_row(name, *row, style="dim" if is_part else None)
    _more(table, len(flows) - len(shown), "connections")
    return table


def _groups(flows: Sequence[Any]) -> Table:
    table = _table(
        "cc",
        "flows",
        "goodput\nmean",
        "goodput\nleast",
        "lost",
        "loss\nrate",
        "time-\nouts",
        "RTT\nmean",
        "done\nafter",
    )
    for cc, count, mean, least, _, lost, lost_share, timeouts, rtt, _, after in rows(by_cc(flows)):
        table.add_row(cc, count, mean, least, lost, lost_share, timeouts, rtt, after)
    return table


def _streams(streams: Sequence[Any]) -> Table:
    header, cells = stream_table(streams[:MOST_FLOWS])
    table = _table(*(title.replace(", ", "\n").replace(" ", "\n") for title in header))
    for name, *figures in cells:
        table.add_row(Text(name), *figures)
    _more(table, len(streams) - MOST_FLOWS, "streams")
    return table


def _transfers(transfers: "pl.DataFrame", warmup: float) -> Table:
    header, cells = transfer_table(transfers, warmup)
    table = _table(*(title.replace(", ", "\n") for title in header))
    for flow, *figures in cells[:MOST_FLOWS]:
        table.add_row(Text(flow), *figures)
    _more(table, len(cells) - MOST_FLOWS, "kinds of transfers")
    return table


def _links(links: Sequence[Any]) -> Table:
    marks = any(link["marked_packets"] for link in links)
    marked = ["marks"] if marks else []
    table = _table(
        "link", "used", "packets", "drops", *marked, "queue\nmean", "queue\np95", "queue\np99"
    )
    shaping = [link for index, link in enumerate(links) if index == 0 or shapes(link)]
    shown = list(links) if len(links) <= MOST_LINKS else shaping[:MOST_LINKS]
    cells = one_unit(
        (
            link["name"],
            Quantity(link["utilisation"], "%"),
            str(link["delivered_packets"]),
            str(link["dropped_packets"]),
            *([str(link["marked_packets"])] if marks else []),
            *(Quantity(link["queue_delay"][part], "s", "queue") for part in ("mean", "p95", "p99")),
        )
        for link in shown
    )
    for row in cells:
        table.add_row(*row)
    _more(table, len(links) - len(shown), "links")
    return table


MOST_QUEUES = 3
"""Largest number of links whose discipline and limit are shown."""


def _queues(result: "Result") -> list[Text]:
    """Yield a line per bottleneck: its discipline, and its limit in all units."""
    return [
        Text.assemble((f"{name}: ", "bold"), line)
        for name, line in queue_lines(result.plan, MOST_LINKS)[:MOST_QUEUES]
    ]


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for index, column in enumerate(columns):
        # If there is too little room, names are folded: a cut number would be wrong.
        left = index == 0 or column == "cc"
        table.add_column(
            column,
            justify="left" if left else "right",
            no_wrap=not left,
            overflow="fold",
            vertical="bottom",
        )
    return table


def _more(table: Table, count: int, what: str) -> None:
    if count > 0:
        table.add_row(Text(f"… {count} more {what}", style="dim"))
