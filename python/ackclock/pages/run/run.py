"""The report of one run."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ackclock.atomic_io.reading import decoding, parse_toml
from ackclock.core_types.sharing import plan_file
from ackclock.metrics import METRICS, sharing, whole
from ackclock.pages.playground import link
from ackclock.pages.playground import playground as playground_address
from ackclock.pages.run.charts.grid import MOST_SPANS
from ackclock.pages.run.charts.timeline import MOST_SINGLE, timeline
from ackclock.pages.run.page import definitions, json_in_page, render, versions
from ackclock.pages.run.scripts import library_version
from ackclock.plot_data.series import MOST_MARKERS
from ackclock.results import groups
from ackclock.results.provenance import is_virtual, timing_table
from ackclock.results.queue_limits import queue_lines
from ackclock.results.run_tables import stream_table
from ackclock.results.transfers import transfer_table
from ackclock.tables.quantities import MISSING, Quantity, one_unit, quantity, short_cc
from ackclock.tables.table import Table

if TYPE_CHECKING:
    from ackclock.results import Result

MOST_ROWS = 12
"""Largest number of rows of a table that is not folded."""

MOST_LISTED = 300
"""Largest number of rows of a table; the run's Parquet tables have all of them."""

_TILES = (
    ("goodput", "Goodput, all flows"),
    ("utilisation", "Bottleneck utilisation"),
    ("lost_packets", "Packets lost"),
    ("retransmit_rate", "Retransmit rate"),
    ("timeouts", "Timeouts"),
    ("queue_delay.p95", "Queue delay, p95"),
    ("rtt.mean", "RTT, mean"),
    ("fct.mean", "Completion time, mean"),
    ("jain_index", "Jain's index"),
)


def run_page(result: "Result", playground: str | None = None) -> str:
    """The page as HTML text; `playground` is the address of the page that its link opens."""
    base = playground_address(playground)
    series = timeline(result) if result.has_samples else None
    libraries = [] if series is None else [library_version("uplot")]
    used, quiet, idle = _links(result)
    return render(
        "run.html",
        title=title(result),
        facts=facts(result),
        queues=queue_lines(result.plan, MOST_ROWS),
        warmup=result.warmup,
        warnings=result.warnings,
        diagnosis=result.diagnosis.lines,
        limits=_limits(result),
        is_simulated=result.provenance is None,
        playground=None if result.provenance is not None else link(result.scenario_toml, base),
        timing=None
        if result.provenance is None
        else Table(("figure", "value"), timing_table(result.provenance)),
        tiles=[
            (label, text)
            for name, label in _TILES
            if (text := shown(result, name)) != MISSING and says_something(result, name)
        ],
        command="ackclock run scenario.toml"
        if result.provenance is None
        else f"ackclock linux scenario.toml{' --virtual' if is_virtual(result.provenance) else ''}",
        clock="virtual"
        if result.provenance is not None and is_virtual(result.provenance)
        else "real",
        series=None if series is None else json_in_page(series),
        panels=[] if series is None else series["panels"],
        phases=[] if series is None else _phased(series),
        most_spans=MOST_SPANS,
        most_marks=4 * MOST_MARKERS,
        most_single=MOST_SINGLE,
        groups=groups.group_table(result.summary()["flows"]),
        flows=_flows(result),
        streams=stream_table(result.streams.to_dicts()).first(MOST_LISTED, where="streams.parquet")
        if result.plan["streams"]
        else None,
        transfers=transfer_table(result.transfers, result.warmup).first(
            MOST_LISTED, where="transfers.parquet"
        )
        if result.plan["sessions"] and result.transfers.height
        else None,
        links=used,
        more_links=quiet,
        idle_links=idle,
        most_rows=MOST_ROWS,
        definitions=definitions(metric for metric in METRICS.values() if metric.from_summary),
        scenario=result.scenario_toml,
        plan=plan_file(result.plan)
        if max(len(result.plan["flows"]), len(result.plan["links"])) <= MOST_LISTED
        else None,
        versions=versions(*libraries, f"numpy {np.__version__}", f"polars {pl.__version__}"),
    )


def _phased(series: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Numbers and names of the lines whose phases can be shaded."""
    return [(line, series["lines"][int(line)]["name"]) for line in series["phases"]]


def title(result: "Result") -> str:
    """The scenario's name."""
    with decoding("scenario.toml", "a scenario"):
        return str(parse_toml(result.scenario_toml).get("name") or "Run")


def facts(result: "Result") -> str:
    """One line: flows by algorithm, first link, duration, engine and seed."""
    rows = result.summary()["flows"]
    connections: dict[str, int] = {}
    for row in rows:
        if row["part_of"] is not None:
            connections[row["part_of"]] = connections.get(row["part_of"], 0) + 1
    counts: dict[str, int] = {}
    for row in whole(rows):
        several = connections.get(row["name"], 1)
        cc = short_cc(row["cc"])
        what = cc if several == 1 else f"{cc} over {several} connections"
        counts[what] = counts.get(what, 0) + 1
    flows = ", ".join(f"{count} × {what}" for what, count in counts.items())
    first = result.links.row(0, named=True)
    rate = "unlimited rate" if first["rate"] is None else quantity(first["rate"], "bit/s")
    measured = f", measured from {quantity(result.warmup, 's')}" if result.warmup else ""
    provenance = result.provenance
    how = (
        "simulated"
        if provenance is None
        else f"on {result.engine}{'' if is_virtual(provenance) else ', in real time'}"
    )
    return (
        f"{flows} · {first['name']} {rate} · {quantity(result.end_time, 's')} {how}{measured} · "
        f"seed {result.plan['seed']}"
    )


def says_something(result: "Result", name: str) -> bool:
    """Whether a figure's value is not fixed, as the fairness of one flow is."""
    return name != "jain_index" or len(sharing(result.summary()["flows"])) > 1


def shown(result: "Result", name: str) -> str:
    """A metric's value as text."""
    unit = METRICS[name].unit
    return quantity(
        result.value(name), "%" if name == "utilisation" or name.endswith("_rate") else unit
    )


def _flows(result: "Result") -> Table:
    rows = [
        (
            flow["name"],
            short_cc(flow["cc"]),
            Quantity(flow["goodput"], "bit/s"),
            Quantity(flow["throughput"], "bit/s"),
            str(flow["sent_packets"]),
            str(flow["lost_packets"]),
            Quantity(flow["loss_rate"], "%"),
            str(flow["retransmitted_packets"]),
            str(flow["timeouts"]),
            Quantity(flow["rtt_min"], "s"),
            Quantity(flow["rtt_mean"], "s"),
            Quantity(flow["rtt_p95"], "s"),
            Quantity(flow["fct"], "s"),
        )
        for flow in result.flows.head(MOST_LISTED).iter_rows(named=True)
    ]
    header = (
        "flow", "cc", "goodput", "throughput", "sent", "lost", "loss rate", "retrans­mitted",
        "timeouts", "RTT min", "RTT mean", "RTT p95", "completion",
    )  # fmt: skip
    more = max(result.flows.height - MOST_LISTED, 0)
    return Table(header, one_unit(rows), names=2, more=more, where="flows.parquet")


def _limits(result: "Result") -> Table:
    """The limits of flows that were limited by more than their share of a busy link."""
    rows = [
        (
            diagnosis["flow"] if rank == 0 else "", limit["title"], Quantity(limit["share"], "%"),
            Quantity(limit["bound"], "bit/s"), limit["law"] or MISSING, limit["key"] or MISSING,
            limit["sentence"],
        )
        for diagnosis in result.diagnosis
        for rank, limit in enumerate(diagnosis["limits"])
    ]  # fmt: skip
    header = ("flow", "limited by", "of its time", "closed form", "source", "key", "figures")
    return Table(header, one_unit(rows), 2).first(MOST_LISTED, where="summary.json")


def _links(result: "Result") -> tuple[Table, Table, int]:
    """Tables of links that shaped the run and of other used links; number of unused links."""
    header = (
        "link", "rate", "utilisation", "delivered", "dropped: limit", "early", "on the wire",
        "marked", "queue mean", "p50", "p95", "p99", "max",
    )  # fmt: skip
    rows = list(result.links.iter_rows(named=True))
    carried = [index for index, link in enumerate(rows) if link["arrived_packets"] > 0]
    shaping = [index for index in carried if index == 0 or groups.shapes(rows[index])]
    others = set(shaping)
    quiet = [index for index in carried if index not in others]
    if len(carried) <= MOST_ROWS:
        shaping, quiet = carried, []
    used, rest = (
        Table(
            header,
            one_unit(_link_row(rows[index]) for index in chosen[:MOST_LISTED]),
            more=max(len(chosen) - MOST_LISTED, 0),
            where="links.parquet",
        )
        for chosen in (shaping, quiet)
    )
    return used, rest, len(rows) - len(carried)


def _link_row(link: Mapping[str, Any]) -> tuple[str | Quantity, ...]:
    return (
        link["name"],
        Quantity(link["rate"], "bit/s"),
        Quantity(link["utilisation"], "%"),
        str(link["delivered_packets"]),
        str(link["dropped_forced"]),
        str(link["dropped_early"]),
        str(link["dropped_wire"]),
        str(link["marked_packets"]),
        *(
            Quantity(link[f"queue_delay_{part}"], "s")
            for part in ("mean", "p50", "p95", "p99", "max")
        ),
    )
