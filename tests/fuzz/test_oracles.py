"""Does each oracle accept a sound run, and object to one with a fault?"""

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ackclock.results import Result
from fuzz.engines import ENGINES
from fuzz.generate import Case
from fuzz.oracles import ORACLES
from fuzz.oracles.capture import packets_of
from fuzz.trial import Trial, run

DATA: dict[str, Any] = {
    "duration": "2s",
    "network": {
        "kind": "dumbbell",
        "bottleneck": {"rate": "2Mbit/s", "delay": "10ms", "limit": "20 packets"},
    },
    "flows": [
        {"name": "bulk", "cc": "reno", "count": 2},
        {"name": "file", "cc": "cubic", "app": {"kind": "file", "size": "20kB"}},
        {"name": "web", "cc": "cubic", "app": {"kind": "repeated", "size": "5kB"}},
        {"name": "voice", "app": {"kind": "voice"}},
    ],
    "record": {
        "samples": "10ms",
        "packets": ["bottleneck", "bottleneck.reverse"],
        "pcap": ["sender", "receiver"],
    },
}


class Core:
    """A run whose tables can be changed."""

    def __init__(self, core: Any) -> None:
        self._core = core
        self._changed: dict[str, Any] = {}

    def change(self, table: str, change: Callable[[Any], None]) -> None:
        value = getattr(self._core, table)()
        change(value)
        self._changed[table] = value

    def __getattr__(self, name: str) -> Any:
        if name in self._changed:
            return lambda: self._changed[name]
        return getattr(self._core, name)


@pytest.fixture
def trial(tmp_path: Path) -> Trial:
    return run(Case(DATA), 0, tmp_path)


def with_core(trial: Trial, table: str, change: Callable[[Any], None]) -> Trial:
    """The trial of a run with another table."""
    core = Core(trial.core)
    core.change(table, change)
    result = Result(scenario=trial.scenario, plan=trial.plan, core=core, timing=trial.result.timing)
    return Trial(trial.case, trial.number, trial.folder, trial.scenario, trial.plan, core, result)


def test_no_oracle_objects_to_a_sound_run(trial):
    assert {name: list(oracle(trial)) for name, oracle in ORACLES.items()} == {
        name: [] for name in ORACLES
    }


def put(*path: Any, value: Any) -> Callable[[Any], None]:
    """Set what stands at a path in a table; a function is asked for the value."""

    def change(table: Any) -> None:
        for key in path[:-1]:
            table = table[key]
        table[path[-1]] = value(table[path[-1]]) if callable(value) else value

    return change


def turned(column: str) -> Callable[[Any], None]:
    def change(table: Any) -> None:
        table[column] = np.asarray(table[column])[::-1].copy()

    return change


def element(column: str, index: int, value: Any) -> Callable[[Any], None]:
    def change(table: Any) -> None:
        table[column] = np.asarray(table[column]).copy()
        table[column][index] = value

    return change


FAULTS: list[tuple[str, str, Callable[[Any], None]]] = [
    ("numbers", "flows", put(0, "start_time", value=float("nan"))),
    ("numbers", "links", put(0, "busy_time", value=-1.0)),
    ("numbers", "streams", put(0, "jitter", value=float("inf"))),
    ("links", "links", put(0, "dropped_early", value=lambda drops: drops + 1)),
    ("links", "links", put(0, "delivered_packets", value=lambda packets: packets + 1000)),
    ("links", "links", put(0, "delivered_bytes", value=10**9)),
    ("links", "links", put(0, "busy_time", value=2.1)),
    ("links", "links", put(0, "measured_time", value=2.1)),
    ("links", "links", put(0, "queue_packets_mean", value=40.0)),
    ("links", "links", put(0, "marked_packets", value=10**6)),
    ("links", "links", put(0, "queue_delay_p50", value=5.0)),
    ("flows", "flows", put(0, "active_time", value=2.1)),
    ("flows", "flows", put(0, "limited_cwnd", value=2.1)),
    ("flows", "flows", put(0, "acked_bytes", value=10**9)),
    ("flows", "flows", put(0, "goodput_bytes", value=10**9)),
    ("flows", "flows", put(0, "received_bytes", value=10**9)),
    ("flows", "flows", put(0, "sent_bytes", value=lambda size: size + 1)),
    ("flows", "flows", put(0, "retransmitted_packets", value=10**6)),
    ("flows", "flows", put(0, "lost_packets", value=10**6)),
    ("flows", "flows", put(0, "spurious_timeouts", value=10**6)),
    ("flows", "flows", put(0, "rtt_min", value=0.001)),
    ("flows", "flows", put(0, "rtt_mean", value=5.0)),
    ("flows", "flows", put(0, "base_rtt", value=0.001)),
    ("flows", "flows", put(2, "goodput_bytes", value=19_999)),
    ("flows", "flows", put(2, "fct", value=0.001)),
    ("flows", "flows", put(2, "finish_time", value=2.5)),
    ("streams", "streams", put(0, "received_packets", value=10**6)),
    ("streams", "streams", put(0, "duplicate_packets", value=1)),
    ("streams", "streams", put(0, "late_packets", value=10**6)),
    ("streams", "streams", put(0, "unplayed_bursts", value=10**6)),
    ("streams", "streams", put(0, "jitter_max", value=0.0)),
    ("streams", "streams", put(0, "delay_min", value=0.001)),
    ("transfers", "transfers", element("finish_time", 0, 0.0)),
    ("transfers", "transfers", element("start_time", 0, 3.0)),
    ("transfers", "transfers", element("number", 0, 2)),
    ("transfers", "transfers", element("size", 0, 0)),
    ("series", "flow_samples", turned("time")),
    ("series", "flow_samples", turned("acked")),
    ("series", "flow_samples", element("cwnd", 5, -1.0)),
    ("series", "link_samples", element("queue_delay", 5, float("inf"))),
    ("series", "link_samples", turned("delivered_bytes")),
    ("series", "link_samples", element("time", -1, 3.0)),
    ("books", "links", put(0, "delivered_packets", value=lambda packets: packets - 1)),
    ("books", "links", put(0, "delivered_bytes", value=lambda size: size - 1)),
    ("books", "links", put(1, "arrived_packets", value=lambda packets: packets + 1)),
    ("books", "flows", put(0, "lost_packets", value=lambda packets: packets + 1)),
    ("books", "flows", put(0, "sent_packets", value=lambda packets: packets - 1)),
    ("books", "packets", turned("time_ns")),
    ("capture", "packets", element("time_ns", 0, 1)),
    ("metrics", "flows", put(0, "rtt_min", value=-1.0)),
    ("metrics", "links", put(0, "busy_time", value=2.1)),
    ("bytes", "flows", put(0, "cwnd_max", value=lambda size: size + 1)),
    ("bytes", "internals", element("value", 0, 0.5)),
]


@pytest.mark.parametrize(
    ("oracle", "table", "fault"),
    FAULTS,
    ids=[f"{oracle}-{table}-{index}" for index, (oracle, table, _) in enumerate(FAULTS)],
)
def test_an_oracle_objects_to_a_fault(trial, oracle, table, fault):
    assert list(ORACLES[oracle](with_core(trial, table, fault)))


def test_a_result_that_reads_back_otherwise_is_noticed(trial, monkeypatch):
    other = run(Case({**DATA, "seed": 5}), 0, trial.folder).result
    monkeypatch.setattr(
        "fuzz.oracles.written.Result", type("Other", (), {"load": lambda _folder: other})
    )
    said = list(ORACLES["written"](trial))
    assert "another plan" in said
    assert "another table packets" in said


def test_another_plan_after_reading_is_noticed(trial):
    trial.plan = {**trial.plan, "seed": 2}
    assert list(ORACLES["text"](trial))


def test_an_engine_that_differs_is_noticed(trial, monkeypatch):
    other = {**json.loads(json.dumps(trial.plan)), "seed": 3}
    engines = {
        **ENGINES,
        "other": lambda _plan, scenario: next(iter(ENGINES.values()))(json.dumps(other), scenario),
    }
    monkeypatch.setattr("fuzz.oracles.bytes.ENGINES", engines)
    assert [sentence for sentence in ORACLES["bytes"](trial) if sentence.startswith("other: ")]


def test_a_capture_cut_short_is_noticed(tmp_path):
    path = tmp_path / "x.pcapng"
    path.write_bytes(struct.pack("<III", 0x0A0D0D0A, 28, 0) + b"\0" * 12)
    with pytest.raises((ValueError, struct.error)):
        packets_of(path)
