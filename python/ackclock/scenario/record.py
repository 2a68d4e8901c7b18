"""What is written down while running."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from ackclock.scenario.errors import did_you_mean, problem
from ackclock.scenario.quantities import Size, check_time
from ackclock.scenario.table import Table

if TYPE_CHECKING:
    from collections.abc import Collection

    from ackclock.scenario.scenario import Scenario

__all__ = ["Record", "recorded_for"]

_WORDS = ("auto", "changes", "off")


def _check_samples(value: Any) -> str:
    if value in _WORDS:
        return str(value)
    if isinstance(value, str) and not any(letter.isdigit() for letter in value):
        raise problem(
            f"'{value}' is not a way to sample: write a period such as '10ms', or {', '.join(_WORDS)}{did_you_mean(value, _WORDS)}"
        )
    return check_time(value, positive=True)


_Samples = Annotated[
    str,
    BeforeValidator(_check_samples),
    WithJsonSchema({"type": "string", "description": "A period, or auto, changes or off.", "examples": ["10ms", "changes", "off", "auto"]}),
]


class Record(Table):
    """What is written down while running; counters for the summary always are."""

    samples: _Samples = "auto"
    """Time series of flows and links: a period, "changes" (a row at every change), "off" or "auto".

    auto: the period that makes about 400 000 rows of flows and at most 2 000 000 rows of links in all, fewer where
    `max_size` holds fewer, 1ms at the finest.
    """
    flows: list[str] | None = None
    """Flows whose series and packets are kept, by name; the name of an entry means all its flows (default: all)."""
    links: list[str] | None = None
    """Links whose series are kept, by name (default: all that have a rate)."""
    packets: list[str] = Field(default_factory=list)
    """Links whose every packet event is kept, by name."""
    max_size: Size = "2GB"
    """Most memory that each table of the record takes: samples of flows, samples of links, internals, packets (and with them
    captures), transfers, datagrams, frames.

    A table that is full takes no further rows. The run goes on, its counters are of all of it, and a warning and
    ``recorded_until`` in summary.json say from when on rows are missing.
    """
    pcap: list[str] = Field(default_factory=list)
    """Capture files: "sender", "receiver", or the name of a link."""


def recorded_for(needs: Collection[str], scenario: Scenario) -> dict[str, Any]:
    """The table `record` of runs that are only measured: what the metrics need, as the scenario has it or by default, and nothing else."""
    record: dict[str, Any] = {"samples": "off", "max_size": scenario.record.max_size}
    if "samples" in needs:
        record["samples"] = "auto" if scenario.record.samples == "off" else scenario.record.samples
    if "packets" in needs:
        record["packets"] = scenario.record.packets or [scenario.plan()["links"][0]["name"]]
    return record
