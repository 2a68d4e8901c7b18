"""The record of a run: time series, packet events and captures."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from ackclock.messages import did_you_mean
from ackclock.scenario.errors import problem
from ackclock.scenario.quantities import Size, check_time, text_schema
from ackclock.scenario.table import Table

__all__ = ["Record"]

_WORDS = ("auto", "changes", "off")


def _check_samples(value: Any) -> str:
    if value in _WORDS:
        return str(value)
    if isinstance(value, str) and not any(letter.isdigit() for letter in value):
        raise problem(
            f"'{value}' is not a way to sample: write a period such as '10ms', or "
            f"{', '.join(_WORDS)}{did_you_mean(value, _WORDS)}",
            kind="unknown-name",
        )
    return check_time(value, positive=True)


def _check_decisions(value: Any) -> Any:
    if isinstance(value, str) and value != "all":
        raise problem(
            f'\'{value}\' is not a list of flows: write "all", or names as ["{value}"]'
            f"{did_you_mean(value, ['all'])}",
            kind="unknown-name",
        )
    return value


_Samples = Annotated[
    str,
    BeforeValidator(_check_samples),
    text_schema("A period, or auto, changes or off.", "10ms", "changes", "off", "auto"),
]


class Record(Table):
    """Time series and packets that a run keeps; counters for the summary are always kept."""

    samples: _Samples = "auto"
    """Time series of flows and links: a period, "changes" (a row at every change), "off" or "auto".

    auto: at least 1ms, for about 400 000 rows of flows and at most 2 000 000 rows of links in all,
    or fewer where `max_size` holds fewer.
    """
    flows: list[str] | None = None
    """Flows, or entries of flows, whose series and packets are kept, by name (default: all)."""
    links: list[str] | None = None
    """Links whose series are kept, by name (default: all that have a rate)."""
    packets: list[str] = Field(default_factory=list)
    """Links whose every packet event is kept, by name."""
    max_size: Size = "2GB"
    """Most memory of each table of the record: samples of flows, samples of links, internals,
    packets (and with them captures), decisions, transfers, datagrams, frames.

    A full table takes no further rows, but the run goes on and its counters stay complete. A
    warning and ``recorded_until`` in summary.json say from when on rows are missing.
    """
    pcap: list[str] = Field(default_factory=list)
    """Capture files: "sender", "receiver", or the name of a link."""
    decisions: Annotated[list[str] | Literal["all"] | None, BeforeValidator(_check_decisions)] = (
        None
    )
    """Flows, or entries of flows, whose senders' decisions are kept, by name; "all": every flow.

    A row per ACK and timer says what it told, what the sender decided and by which rule; see
    ``ackclock explain``.
    """
    qlog: list[str] | None = None
    """Flows, or entries of flows, whose senders are logged as qlog for qvis, by name.

    The decisions and packets of such flows are kept too.
    """
