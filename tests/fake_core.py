"""A run without a simulator: counters and columns with known values."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ackclock as ac

MSS, WIRE = 1000, 1040
RATE = 1.5e6
END = 20.0


class FakeRecord:
    def __init__(self) -> None:
        self.pcap: list[str] = []
        self.qlog: list[str] = []


class FakeScenario:
    def __init__(self) -> None:
        self.record = FakeRecord()

    def to_toml(self) -> str:
        return 'name = "fake <&> run"\nduration = "20s"\nnetwork = { kind = "dumbbell" }\n'


@cache
def _transport() -> dict[str, Any]:
    """All that a plan says about a transport."""
    path = {"rate": "10Mbit/s", "rtt": "40ms", "duration": "1s"}
    plan: Any = ac.dumbbell(**path, flows=[ac.flow("reno")]).plan()
    transport: dict[str, Any] = plan["flows"][0]["transport"]
    return transport


def flow_plan(name: str, **changes: Any) -> dict[str, Any]:
    plan: dict[str, Any] = {
        "name": name,
        "cc": "reno",
        "start_ps": 0,
        "stop_ps": None,
        "app": {"kind": "bulk"},
        "part_of": None,
        "path": [2, 0],
        "reverse_path": [1, 3],
        "priority": 0,
        "transport": {
            **_transport(),
            "mss": MSS,
            "header_bytes": WIRE - MSS,
            "initial_window_bytes": 10 * MSS,
            "initial_ssthresh_bytes": 20_000,
            "max_cwnd_bytes": None,
            "receive_buffer_bytes": 60 * MSS,
            "read_rate_bps": None,
            "delayed_ack_count": 2,
            "ack_counting": "bytes",
            "min_rto_ps": 2 * 10**11,
        },
    }
    return plan | changes


def link_plan(name: str, rate: float | None = RATE) -> dict[str, Any]:
    rate_bps = None if rate is None else int(rate)
    return {
        "name": name,
        "rate_bps": rate_bps,
        "delay_ps": 50 * 10**9,
        "qdisc": {"kind": "fifo", "limit_packets": 20},
        "loss": None,
    }


def make_plan(flows: int = 2) -> dict[str, Any]:
    names = ("bottleneck", "bottleneck.reverse", "access", "access.reverse")
    return {
        "seed": 1,
        "duration_ps": int(END * 1e12),
        "warmup_ps": 0,
        "links": [link_plan(name, RATE if "bottleneck" in name else 10e6) for name in names],
        "streams": [],
        "sessions": [],
        "flows": [
            flow_plan(f"f.{index + 1}", cc="reno" if index % 2 == 0 else "cos+reno")
            for index in range(flows)
        ],
        "record": {"samples": {"kind": "period", "period_ps": 10**10}},
    }


def flow_counters(name: str, cc: str = "reno", **changes: Any) -> dict[str, Any]:
    counters: dict[str, Any] = {
        "name": name,
        "part_of": None,
        "cc": cc,
        "start_time": 0.0,
        "finish_time": None,
        "fct": None,
        "active_time": END,
        "sent_packets": 1000,
        "sent_bytes": 1000 * WIRE,
        "sent_payload_bytes": 1000 * MSS,
        "retransmitted_packets": 12,
        "acked_bytes": 980 * MSS,
        "goodput_bytes": 980 * MSS,
        "received_bytes": 990 * WIRE,
        "lost_packets": 10,
        "marked_packets": 0,
        "timeouts": 1,
        "spurious_timeouts": 0,
        "recoveries": 5,
        "undos": 0,
        "tail_probes": 0,
        "ecn_reductions": 0,
        "base_rtt": 0.108,
        "rtt": spread(0.110, 0.150, 0.240),
        "limited": {
            "cwnd": END,
            "receive_window": 0.0,
            "application": 0.0,
            "pacing": 0.0,
            "clamp": 0.0,
        },
        "cwnd_max": 40_000.0,
        "lost": {"wire": 0, "forced": 10, "early": 0, "policed": 0},
        "time": {"slow_start": 1.0, "recovery": 1.0, "loss": 0.0, "silence": 0.0},
        "window_after": _by_reason(nothing=1.0, forced=END - 1.0),
        "reductions": _by_reason(forced=5.0),
        "slow_start": {"end_cwnd": 20_000, "end_time": 1.0},
    }
    return counters | changes


def flat(row: dict[str, Any]) -> dict[str, Any]:
    """The row as the core gives it: without dictionaries in it."""
    made: dict[str, Any] = {}
    for key, value in row.items():
        parts = (
            {f"{key}_{part}": inner for part, inner in value.items()}
            if isinstance(value, dict)
            else {key: value}
        )
        made |= parts
    return made


def _by_reason(**values: float) -> dict[str, float]:
    return (
        dict.fromkeys(("nothing", "wire", "forced", "early", "policed", "mark", "reordering"), 0.0)
        | values
    )


def spread(low: float, mean: float, high: float) -> dict[str, Any]:
    p95 = low + 0.95 * (high - low)
    return {
        "count": 1000,
        "min": low,
        "mean": mean,
        "p50": mean,
        "p95": p95,
        "p99": high,
        "max": high,
    }


def link_counters(name: str, rate: float | None = RATE, **changes: Any) -> dict[str, Any]:
    counters: dict[str, Any] = {
        "name": name,
        "rate": rate,
        "arrived_packets": 2000,
        "delivered_packets": 2000,
        "delivered_bytes": 2000 * WIRE,
        "dropped_packets": 0,
        "dropped_forced": 0,
        "dropped_early": 0,
        "dropped_policed": 0,
        "dropped_wire": 0,
        "marked_packets": 0,
        "corrupted_packets": 0,
        "duplicated_packets": 0,
        "reordered_packets": 0,
        "busy_time": 0.1 * END,
        "measured_time": END,
        "queue_delay": spread(0.0, 0.001, 0.005),
        "queue_packets_mean": 0.2,
    }
    return counters | changes


class FakeCore:
    """Two flows by default: slow start for a second, then a sawtooth that the queue follows."""

    def __init__(self, flows: int = 2) -> None:
        self.end_time = END
        self.events = 12345
        self.names = [f"f.{index + 1}" for index in range(flows)]
        ccs = ["reno" if index % 2 == 0 else "cos+reno" for index in range(flows)]
        self.flow_counters = [
            flow_counters(name, cc) for name, cc in zip(self.names, ccs, strict=True)
        ]
        self.link_counters = [
            link_counters(
                "bottleneck",
                busy_time=0.95 * END,
                delivered_packets=1980,
                dropped_packets=20,
                dropped_forced=20,
                queue_delay=spread(0.0, 0.05, 0.11),
                queue_packets_mean=9.0,
            ),
            link_counters("bottleneck.reverse"),
            link_counters("access", 10e6),
            link_counters("access.reverse", 10e6),
        ]
        self.time: NDArray[np.float64] = np.arange(1, 2001) / 100.0

    def flows(self) -> list[dict[str, Any]]:
        return [flat(row) for row in self.flow_counters]

    def sessions(self) -> list[dict[str, Any]]:
        return []

    def digest(self) -> str:
        return "0" * 16

    def recorded_until(self) -> dict[str, float]:
        return {}

    def links(self) -> list[dict[str, Any]]:
        return [flat(row) for row in self.link_counters]

    def window(self, flow: int) -> NDArray[np.float64]:
        tooth = 10.0 + (self.time * 4.0 + 3.0 * flow) % 10.0
        return MSS * np.where(self.time < 1.0, np.minimum(2.0 ** (self.time * 5), 20.0), tooth)

    def flow_samples(self) -> dict[str, Any]:
        count, rows = len(self.names), len(self.time)

        def per_flow(values: list[NDArray[Any]], kind: str = "f8") -> NDArray[Any]:
            return np.stack(values, axis=1).reshape(-1).astype(kind)

        nan = np.full(rows * count, np.nan)
        windows = [self.window(flow) for flow in range(count)]
        delivered = [np.cumsum(window / 11.0 / count * 2) // MSS * MSS for window in windows]
        rtt = [0.11 + 0.006 * (window / MSS - 10).clip(0) for window in windows]
        return {
            "time": np.repeat(self.time, count),
            "flow": np.tile(np.arange(count, dtype="u4"), rows),
            "cwnd": per_flow(windows),
            "ssthresh": per_flow([np.where(self.time < 1.0, np.nan, 10.0 * MSS)] * count),
            "srtt": per_flow(rtt),
            "rtt_sample": per_flow(rtt),
            "inflight": per_flow(windows),
            "pacing_rate": nan,
            "delivery_rate": nan,
            "delivered": per_flow(delivered, "u8"),
            "acked": per_flow(delivered, "u8"),
            "sent": per_flow([values // MSS for values in delivered], "u8"),
            "retransmitted": np.zeros(rows * count, "u8"),
            "lost": np.zeros(rows * count, "u8"),
            "state": np.zeros(rows * count, "u1"),
        }

    def link_samples(self) -> dict[str, Any]:
        rows = len(self.time)
        mean: NDArray[np.float64] = np.mean(
            [self.window(flow) for flow in range(len(self.names))], axis=0
        )
        queue = (mean / MSS - 8).clip(0, 20).astype("u4")
        return {
            "time": self.time,
            "link": np.zeros(rows, "u4"),
            "queue_packets": queue,
            "queue_bytes": queue.astype("u8") * WIRE,
            "queue_delay": queue * WIRE * 8 / RATE,
            "dropped_forced": np.zeros(rows, "u8"),
            "dropped_early": np.zeros(rows, "u8"),
            "dropped": np.cumsum(np.arange(rows) % 100 == 99).astype("u8"),
            "marked": np.zeros(rows, "u8"),
            "delivered_bytes": np.cumsum(np.full(rows, 1875)).astype("u8"),
            "red_average": np.full(rows, np.nan),
        }

    def internals(self) -> dict[str, Any]:
        return {
            "time": np.array([1.0, 2.0]),
            "flow": np.zeros(2, "u4"),
            "name": np.zeros(2, "u2"),
            "value": np.array([1.5, 2.5]),
            "names": ["w_max"],
        }

    def packets(self) -> dict[str, Any]:
        columns = [
            "time_ns",
            "seq",
            "length",
            "ack",
            "wire_size",
            "flags",
            "ecn",
            "window",
            "ts_val",
            "ts_ecr",
            "connection",
            "is_ack",
        ]
        columns += [f"sack{block}_{edge}" for block in range(3) for edge in ("start", "end")]
        table: dict[str, Any] = {column: np.array([1, 2], "u8") for column in columns}
        table["point"] = np.array([0, 2], "u1")
        table["where"] = np.array([1, 0], "u4")
        table["event"] = np.array([0, 2], "u1")
        table["flow"] = np.array([1, 1], "u4")
        return table

    def decisions(self) -> dict[str, Any]:
        raise AssertionError("a plan without decision_flows has no decisions")

    def write_pcapng(self, path: str, point: str) -> int:
        with open(path, "wb") as file:  # noqa: PTH123
            file.write(b"\x0a\x0d\x0d\x0a" + point.encode())
        return 1
