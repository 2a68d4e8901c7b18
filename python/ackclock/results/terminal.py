"""Shows results in a terminal."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from ackclock.formulas.parts import sharing, whole
from ackclock.results.diagnosis.sentences import LOOKED_AT, NOT_KNOWN
from ackclock.results.groups import group_table, shapes
from ackclock.results.provenance import VIRTUAL, is_virtual, timing_line
from ackclock.results.queue_limits import queue_lines
from ackclock.results.run_tables import stream_table
from ackclock.results.transfers import transfer_table
from ackclock.tables.quantities import Quantity, one_unit, quantity, short_cc
from ackclock.tables.table import Table, styled
from ackclock.tables.terminal import FOLDED, RULED, drawn

if TYPE_CHECKING:
    import polars as pl

    from ackclock.results.diagnosis import Diagnosis
    from ackclock.results.result import Result

MOST_FLOWS = 12
"""Largest number of flows with a row each; more share a row per congestion control. Subflows are
shown only if there is room for all.
"""

MOST_LINKS = 6


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
    provenance = result.provenance
    how = (
        "simulated"
        if provenance is None
        else f"in {VIRTUAL if is_virtual(provenance) else 'real time'}"
    )
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


def _flows(flows: Sequence[Any]) -> RenderableType:
    # A column of dashes is left out: names need its width.
    ends = any(flow["fct"] is not None for flow in flows)
    header = (
        *("flow", "cc", "goodput", "lost", "loss\nrate", "time-\nouts", "RTT\nmean", "RTT\np95"),
        *(["done\nafter"] if ends else []),
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
    rows = []
    for flow, row in zip(shown, cells, strict=True):
        is_part = flow["part_of"] is not None
        name = f"  {flow['name']}" if is_part else flow["name"]
        rows.append([styled((cell, "dim" if is_part else "")) for cell in (name, *row)])
    return _drawn(Table(header, rows, 2), len(flows) - len(shown), "connections")


def _groups(flows: Sequence[Any]) -> RenderableType:
    header = (
        *("cc", "flows", "goodput\nmean", "goodput\nleast", "lost", "loss\nrate", "time-\nouts"),
        *("RTT\nmean", "done\nafter"),
    )
    cells = [
        (cc, count, mean, least, lost, lost_share, timeouts, rtt, after)
        for cc, count, mean, least, _, lost, lost_share, timeouts, rtt, _, after in group_table(
            flows
        ).rows
    ]
    return _drawn(Table(header, cells))


def _streams(streams: Sequence[Any]) -> RenderableType:
    table = stream_table(streams[:MOST_FLOWS])
    titles = [title.replace(", ", "\n").replace(" ", "\n") for title in table.header]
    return _drawn(replace(table, header=titles), len(streams) - MOST_FLOWS, "streams")


def _transfers(transfers: "pl.DataFrame", warmup: float) -> RenderableType:
    table = transfer_table(transfers, warmup).first(MOST_FLOWS, "kinds of transfers")
    titles = [title.replace(", ", "\n") for title in table.header]
    return _drawn(replace(table, header=titles), table.more, table.things)


def _links(links: Sequence[Any]) -> RenderableType:
    marks = any(link["marked_packets"] for link in links)
    marked = ["marks"] if marks else []
    header = (
        *("link", "used", "packets", "drops", *marked),
        *("queue\nmean", "queue\np95", "queue\np99"),
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
    return _drawn(Table(header, cells), len(links) - len(shown), "links")


MOST_QUEUES = 3
"""Largest number of links whose discipline and limit are shown."""


def _queues(result: "Result") -> list[Text]:
    """Yield a line per bottleneck: its discipline, and its limit in all units."""
    return [
        Text.assemble((f"{name}: ", "bold"), line)
        for name, line in queue_lines(result.plan, MOST_LINKS)[:MOST_QUEUES]
    ]


def _drawn(table: Table, more: int = 0, things: str = "") -> RenderableType:
    """A table whose names are folded if there is too little room: a cut number would be wrong."""
    made = replace(table, more=max(more, 0), things=things)
    return drawn(made, RULED, (FOLDED,) * table.names)
