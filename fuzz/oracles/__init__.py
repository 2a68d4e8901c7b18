"""Oracles, which judge every run: a file for each, and a line in `ORACLES`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzz.oracles.books import balanced_books
from fuzz.oracles.bytes import same_bytes
from fuzz.oracles.capture import captures
from fuzz.oracles.flows import flow_counters
from fuzz.oracles.links import link_counters
from fuzz.oracles.metrics import metric_ranges
from fuzz.oracles.numbers import finite_numbers
from fuzz.oracles.series import time_series
from fuzz.oracles.streams import stream_figures
from fuzz.oracles.text import text_and_back
from fuzz.oracles.transfers import transfer_rows
from fuzz.oracles.written import written_and_read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from fuzz.trial import Trial

__all__ = ["ORACLES", "complaints"]

ORACLES: Mapping[str, Callable[[Trial], Iterator[str]]] = {
    "numbers": finite_numbers,
    "links": link_counters,
    "flows": flow_counters,
    "streams": stream_figures,
    "transfers": transfer_rows,
    "series": time_series,
    "books": balanced_books,
    "capture": captures,
    "metrics": metric_ranges,
    "bytes": same_bytes,
    "text": text_and_back,
    "written": written_and_read,
}
"""Oracles by name. Each yields a sentence for every fault of a run."""


def complaints(trial: Trial) -> list[tuple[str, str]]:
    """Return the names of the oracles that object, each with its first sentences."""
    found: list[tuple[str, str]] = []
    for name, oracle in ORACLES.items():
        for sentence, _ in zip(oracle(trial), range(3), strict=False):
            found.append((name, sentence))
    return found
