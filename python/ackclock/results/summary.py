"""Figures of a run for other programs: summary.json.

The types are its documentation and its JSON Schema.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired, cast

from pydantic import ConfigDict, Field, TypeAdapter, with_config
from typing_extensions import TypedDict

from ackclock.atomic_io.reading import shaped
from ackclock.formulas.fairness import jain_index
from ackclock.formulas.parts import sharing
from ackclock.results.diagnosis.types import FlowDiagnosis

MOST_ROWS = 1000
"""Largest number of flows, and of links, in summary.json; the tables have all of them."""

_STRICT = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)


_Smallest = Annotated[float | None, Field(description="Minimum, s.")]
_Mean = Annotated[float | None, Field(description="Mean, s.")]
_Median = Annotated[float | None, Field(description="Median, s.")]
_P95 = Annotated[float | None, Field(description="95th percentile, s.")]
_P99 = Annotated[float | None, Field(description="99th percentile, s.")]


@with_config(_STRICT)
class Rtt(TypedDict):
    """Round-trip times sampled by the sender, s; null without samples."""

    min: _Smallest
    mean: _Mean
    p50: _Median
    p95: _P95
    p99: _P99


@with_config(_STRICT)
class QueueDelay(TypedDict):
    """Time that packets waited in the queue, transmission not included, s; null without packets."""

    mean: _Mean
    p50: _Median
    p95: _P95
    p99: _P99


@with_config(_STRICT)
class FlowSummary(TypedDict):
    """One flow, since the warm-up."""

    name: Annotated[str, Field(description="The flow's name.")]
    part_of: Annotated[str | None, Field(description="The flow of this subflow; null for a flow.")]
    cc: Annotated[str, Field(description="Congestion control, as the registry reads it.")]
    goodput: Annotated[
        float | None, Field(description="In-order payload per second of the flow's time, bit/s.")
    ]
    throughput: Annotated[
        float | None,
        Field(description="Wire bytes at the receiver per second of the flow's time, bit/s."),
    ]
    goodput_bytes: Annotated[
        int, Field(description="Payload in order at the receiver, read or not, bytes.")
    ]
    received_bytes: Annotated[int, Field(description="Wire bytes of data packets at the receiver.")]
    sent_packets: Annotated[int, Field(description="Data packets sent, retransmissions included.")]
    lost_packets: Annotated[int, Field(description="Data packets that the network dropped.")]
    retransmitted_packets: Annotated[int, Field(description="Data packets sent again.")]
    loss_rate: Annotated[
        float | None,
        Field(description="lost_packets / sent_packets; null if more was lost than sent."),
    ]
    retransmit_rate: Annotated[
        float | None,
        Field(description="retransmitted_packets / sent_packets; null if nothing was sent."),
    ]
    timeouts: Annotated[
        int, Field(description="Retransmission timeouts, those of the SYN included.")
    ]
    rtt: Annotated[Rtt, Field(description="Round-trip times sampled by the sender, s.")]
    fct: Annotated[
        float | None,
        Field(
            description="Time from SYN to last byte acknowledged, s; null if the flow did not "
            "finish."
        ),
    ]


@with_config(_STRICT)
class LinkSummary(TypedDict):
    """One direction of a link, since the warm-up."""

    name: Annotated[str, Field(description="The link's name.")]
    utilisation: Annotated[
        float | None,
        Field(description="Share of time spent transmitting; null if no time was measured."),
    ]
    delivered_packets: Annotated[int, Field(description="Packets that reached the far end.")]
    dropped_packets: Annotated[
        int, Field(description="Packets dropped: by the queue or on the wire.")
    ]
    marked_packets: Annotated[
        int,
        Field(
            description="Packets that this queue marked CE; packets marked before are not counted."
        ),
    ]
    queue_delay: Annotated[
        QueueDelay, Field(description="Time that packets waited in the queue, s.")
    ]


@with_config(_STRICT)
class Summary(TypedDict):
    """The figures of a run, in SI base units: bit/s, s, bytes; shares from 0 to 1."""

    results_version: Annotated[
        int,
        Field(
            description="Version of the layout, raised whenever an older reader would misread the "
            "file."
        ),
    ]
    engine: Annotated[
        str,
        Field(
            description='Engine of the run: "simulator", or "linux" and the release of the kernel, '
            "with its build if it ran in virtual time."
        ),
    ]
    end_time: Annotated[
        float,
        Field(
            description="End of the run, s of simulated time: duration, or the time when every "
            "flow had finished."
        ),
    ]
    measured_time: Annotated[
        float, Field(description="Time from the end of the warm-up to the end of the run, s.")
    ]
    flows: Annotated[
        NotRequired[list[FlowSummary]],
        Field(
            description="Flows in the scenario's order; subflows come after their parallel "
            "transfer. Missing with more than 1000 flows: flows.parquet has them."
        ),
    ]
    links: Annotated[
        NotRequired[list[LinkSummary]],
        Field(
            description="The bottleneck first. Missing with more than 1000 links: links.parquet "
            "has them."
        ),
    ]
    jain_index: Annotated[
        float | None,
        Field(
            description="Jain's index of the goodputs of the measured flows, without UDP streams."
        ),
    ]
    diagnosis: Annotated[
        NotRequired[list[FlowDiagnosis]],
        Field(
            description="Limits of each TCP flow, in order of weight; an idle link comes last. "
            "Missing in results of earlier versions."
        ),
    ]
    warnings: Annotated[
        list[str], Field(description="Faults of the run as an experiment, a sentence each.")
    ]
    recorded_until: NotRequired[
        Annotated[
            dict[str, float],
            Field(
                description="Tables that reached record.max_size, and the time since when rows are "
                "missing, s."
            ),
        ]
    ]


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of summary.json."""
    schema = TypeAdapter(Summary).json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def check(summary: object, file: object = "summary.json") -> Summary:
    """Return the value of a file as a summary; a DamagedError names its first fault."""
    return shaped(summary, Summary, file, "a summary")


def short(summary: Summary) -> Summary:
    """Return the summary as in summary.json: without lists of more than `MOST_ROWS` rows.

    flows.parquet and links.parquet have these rows.
    """
    brief: dict[str, Any] = {**summary}
    for table in ("flows", "links"):
        if len(brief[table]) > MOST_ROWS:
            del brief[table]
    return cast("Summary", brief)


def whole(
    summary: Summary, rows: Callable[[Literal["flows", "links"]], Sequence[Mapping[str, Any]]]
) -> Summary:
    """Return the summary of summary.json with the lists that it leaves to the tables.

    Parameters
    ----------
    summary : Summary
        As `short` returns it.
    rows : callable
        Gives the rows of a table, as in flows.parquet or links.parquet.
    """
    full: dict[str, Any] = {}
    for key in Summary.__annotations__:
        if key in ("flows", "links") and key not in summary:
            full[key] = (
                [_flow(row) for row in rows("flows")]
                if key == "flows"
                else [_link(row) for row in rows("links")]
            )
        elif key in summary:
            full[key] = cast("Mapping[str, Any]", summary)[key]
    return cast("Summary", full)


def summarise(
    flows: Sequence[Mapping[str, Any]],
    links: Sequence[Mapping[str, Any]],
    warnings: Sequence[str],
    end_time: float,
    warmup: float,
    results_version: int,
    engine: str = "simulator",
    diagnosis: Sequence[FlowDiagnosis] | None = (),
    recorded_until: Mapping[str, float] | None = None,
) -> Summary:
    """Make the summary of a run.

    Parameters
    ----------
    flows, links : sequence of mapping
        Rows as in flows.parquet and links.parquet.
    warnings : sequence of str
        As `ackclock.results.caveats.warnings` finds them.
    end_time : float
        When the run ended, s.
    warmup : float
        From when on it was measured, s.
    results_version : int
        Of the engine that ran.
    engine : str
        Its name.
    diagnosis : sequence of FlowDiagnosis
        As `ackclock.results.diagnosis.diagnose` finds it; None: the summary has none.
    recorded_until : mapping, optional
        Tables that reached their largest size, and since when rows are missing, s.
    """
    summary: Summary = {
        "results_version": results_version,
        "engine": engine,
        "end_time": end_time,
        "measured_time": max(end_time - warmup, 0.0),
        "flows": [_flow(row) for row in flows],
        "links": [_link(row) for row in links],
        "jain_index": jain_index([row["goodput"] for row in sharing(flows)]),
        "warnings": list(warnings),
    }
    if recorded_until:
        summary["recorded_until"] = dict(recorded_until)
    return summary if diagnosis is None else with_diagnosis(summary, diagnosis)


def with_diagnosis(summary: Summary, diagnosis: Sequence[FlowDiagnosis]) -> Summary:
    """Return a summary that was made without a diagnosis, with it.

    Parameters
    ----------
    summary : Summary
        As `summarise` makes it.
    diagnosis : sequence of FlowDiagnosis
        As `ackclock.results.diagnosis.diagnose` finds it.
    """
    full: dict[str, Any] = {}
    for name, value in summary.items():
        if name == "warnings":
            full["diagnosis"] = list(diagnosis)
        full[name] = value
    return cast("Summary", full)


def without_diagnosis(summary: Summary) -> Summary:
    """Return a summary without its diagnosis."""
    return cast("Summary", {key: value for key, value in summary.items() if key != "diagnosis"})


def _flow(row: Mapping[str, Any]) -> FlowSummary:
    return {
        "name": row["name"],
        "part_of": row["part_of"],
        "cc": row["cc"],
        "goodput": row["goodput"],
        "throughput": row["throughput"],
        "goodput_bytes": row["goodput_bytes"],
        "received_bytes": row["received_bytes"],
        "sent_packets": row["sent_packets"],
        "lost_packets": row["lost_packets"],
        "retransmitted_packets": row["retransmitted_packets"],
        "loss_rate": row["loss_rate"],
        "retransmit_rate": row["retransmit_rate"],
        "timeouts": row["timeouts"],
        "rtt": {
            "min": row["rtt_min"],
            "mean": row["rtt_mean"],
            "p50": row["rtt_p50"],
            "p95": row["rtt_p95"],
            "p99": row["rtt_p99"],
        },
        "fct": row["fct"],
    }


def _link(row: Mapping[str, Any]) -> LinkSummary:
    return {
        "name": row["name"],
        "utilisation": row["utilisation"],
        "delivered_packets": row["delivered_packets"],
        "dropped_packets": row["dropped_packets"],
        "marked_packets": row["marked_packets"],
        "queue_delay": {
            "mean": row["queue_delay_mean"],
            "p50": row["queue_delay_p50"],
            "p95": row["queue_delay_p95"],
            "p99": row["queue_delay_p99"],
        },
    }
