"""Plans as the engine reads them, for tests of the border itself."""

import json
from pathlib import Path
from typing import Any

MS = 10**9
"""In ps."""
LINUX = Path(__file__).parents[2] / "crates/sim/tests/support/linux.json"
"""The profile as a plan has it; test_profiles_fixture.py keeps it so."""


def link(
    name: str,
    *,
    rate: int | None = 10_000_000,
    limit: int | None = 20,
    loss: dict[str, Any] | None = None,
) -> dict[str, Any]:
    return {
        "name": name,
        "rate_bps": rate,
        "delay_ps": 10 * MS,
        "qdisc": {"kind": "fifo", "limit_packets": limit},
        "loss": loss,
    }


def transport(**changes: Any) -> dict[str, Any]:
    options: dict[str, Any] = json.loads(LINUX.read_text(encoding="utf-8"))
    return {**options, "receive_buffer_bytes": 1 << 20, **changes}


def flow(name: str, app: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {
        "name": name,
        "cc": "reno",
        "start_ps": 0,
        "app": app,
        "path": [0],
        "reverse_path": [1],
        "transport": transport(**changes),
    }


def dumbbell(
    *,
    seconds: int = 10,
    record: dict[str, Any] | None = None,
    loss: dict[str, Any] | None = None,
    **changes: Any,
) -> str:
    """A file of 300 kB and an endless flow through one link of 10 Mbit/s with a 20 ms RTT."""
    flows = [
        flow("file", {"kind": "file", "size_bytes": 300_000}, **changes),
        flow("bulk", {"kind": "bulk"}, **changes),
    ]
    plan = {
        "seed": 1,
        "duration_ps": seconds * 1000 * MS,
        "links": [link("bottleneck", loss=loss), link("bottleneck.reverse", limit=None)],
        "flows": flows,
        "record": record or {},
    }
    return json.dumps(plan)
