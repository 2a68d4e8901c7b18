"""Every engine gives identical bytes when run again, and identical counters unrecorded."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzz.engines import ENGINES
from fuzz.record import OFF
from fuzz.trial import counters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fuzz.trial import Trial

__all__ = ["columns", "same_bytes"]

_TABLES = (
    "flow_samples",
    "link_samples",
    "internals",
    "packets",
    "datagrams",
    "frames",
    "transfers",
)


def columns(core: Any) -> dict[str, str]:
    """Return a digest of each table of columns."""
    found = {}
    for name in _TABLES:
        digest = hashlib.blake2b(digest_size=16)
        for column, values in getattr(core, name)().items():
            digest.update(column.encode())
            digest.update(
                "\n".join(values).encode()
                if column == "names"
                else np.ascontiguousarray(values).tobytes()
            )
        found[name] = digest.hexdigest()
    return found


def same_bytes(trial: Trial) -> Iterator[str]:
    """Run the plan again with every engine; odd numbers run without recording."""
    record = trial.plan["record"]
    is_quiet = record["samples"]["kind"] == "off" and not (
        record["packet_links"] or record["packet_senders"]
    )
    plan = trial.plan
    if trial.number % 2 and not is_quiet:
        plan = {**plan, "record": OFF}
    text = json.dumps(plan, allow_nan=False)
    first = trial.counters
    for name, engine in ENGINES.items():
        other = engine(text, trial.scenario)
        if counters(other) != first:
            yield f"{name}: other counters{'' if plan is trial.plan else ' without recording'}"
        if plan is trial.plan and not is_quiet:
            mine, its = columns(trial.core), columns(other)
            yield from (
                f"{name}: other bytes in {table}" for table in _TABLES if mine[table] != its[table]
            )
