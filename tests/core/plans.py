"""Plans as the engine reads them, for tests of the border itself."""

import json
from typing import Any

MS = 10**9
"""In ps."""


def link(name: str, *, rate: int | None = 10_000_000, limit: int | None = 20, loss: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "name": name,
        "rate_bps": rate,
        "delay_ps": 10 * MS,
        "qdisc": {"kind": "fifo", "limit_packets": limit},
        "loss": loss,
    }


def transport(**changes: Any) -> dict[str, Any]:
    return {
        "mss": 1448,
        "header_bytes": 52,
        "initial_window_bytes": 14480,
        "initial_ssthresh_bytes": None,
        "max_cwnd_bytes": None,
        "receive_buffer_bytes": 1 << 20,
        "read_rate_bps": None,
        "ack_counting": "bytes",
        "delayed_ack_count": 2,
        "delayed_ack_timeout_ps": 40 * MS,
        "quick_acks": 16,
        "timestamps": True,
        "loss_detection": "rack",
        "dupack_recovery": "newreno",
        "window_approach": "prr",
        "limited_transmit": True,
        "tail_loss_probe": True,
        "frto": True,
        "undo": True,
        "dsack": True,
        "min_rto_ps": 200 * MS,
        "max_rto_ps": 120_000 * MS,
        "initial_rto_ps": 1000 * MS,
        "idle_restart": True,
        "ecn": "off",
        "pacing": "cc",
    } | changes


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


def dumbbell(*, seconds: int = 10, record: dict[str, Any] | None = None, loss: dict[str, Any] | None = None, **changes: Any) -> str:
    """A file of 300 kB and an endless flow through one link of 10 Mbit/s and 20 ms of round trip."""
    flows = [flow("file", {"kind": "file", "size_bytes": 300_000}, **changes), flow("bulk", {"kind": "bulk"}, **changes)]
    plan = {
        "seed": 1,
        "duration_ps": seconds * 1000 * MS,
        "links": [link("bottleneck", loss=loss), link("bottleneck.reverse", limit=None)],
        "flows": flows,
        "record": record or {},
    }
    return json.dumps(plan)
