"""Logs of senders: the rules of qvis' loader, and agreement with the run."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ackclock as ac
from ackclock.results import Result

# Versions that qvis' QlogLoaderV2 reads (QlogSchema02.Defaults.versionAliases).
QVIS_VERSIONS = ("draft-02", "draft-02-RC1", "qlog-03-WIP", "0.3")


def _run(cc: str, **flow: Any) -> Result:
    return ac.run(
        ac.dumbbell(
            rate="5Mbit/s",
            rtt="40ms",
            buffer="15 packets",
            flows=[ac.flow(cc, name="mine", **flow)],
            duration="4s",
            record={"samples": "off", "qlog": ["mine"]},
        )
    )


def _read(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    parts = path.read_text(encoding="utf-8").split("\x1e")
    assert parts[0] == ""
    head, *events = (json.loads(part) for part in parts[1:])
    return head, events


@pytest.fixture(params=["reno", "cubic", "bbr"])
def logged(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Result, Path]:
    result = _run(request.param)
    result.write(tmp_path / "run", report=False)
    return result, tmp_path / "run" / "qlog" / "mine.sqlog"


def test_a_log_is_as_qvis_loads_it(logged: tuple[Result, Path]) -> None:
    head, events = _read(logged[1])
    # TextSequenceJSONToQlog demands these three, FileLoader the suffix .sqlog.
    assert head["qlog_version"] in QVIS_VERSIONS
    assert head["qlog_format"] == "JSON-SEQ"
    assert head["trace"]["vantage_point"]["type"] in ("client", "server", "network", "unknown")
    times = [event["time"] for event in events]
    assert times == sorted(times)
    for event in events:
        assert event["name"].count(":") == 1
        header = event["data"].get("header", {})
        # QlogLoaderV2 calls a trace with these non-compliant.
        assert not {"packet_size", "payload_length"} & set(header)
        assert "packet_type" not in event["data"]
    # The congestion graph takes lost and acknowledged packets for sent ones, of one type.
    sent = {
        (event["data"]["header"]["packet_type"], event["data"]["header"]["packet_number"])
        for event in events
        if event["name"] == "transport:packet_sent"
    }
    for event in events:
        if event["name"] == "recovery:packet_lost":
            header = event["data"]["header"]
            assert (header["packet_type"], header["packet_number"]) in sent
        if event["name"] == "transport:packet_received":
            for frame in event["data"]["frames"]:
                for first, last in frame.get("acked_ranges", []):
                    assert all(("1RTT", number) in sent for number in range(first, last + 1))


def test_a_log_agrees_with_the_counters(logged: tuple[Result, Path]) -> None:
    result, path = logged
    _, events = _read(path)
    [flow] = result.flows.to_dicts()
    by: dict[str, list[dict[str, Any]]] = {}
    for event in events:
        by.setdefault(event["name"], []).append(event["data"])
    data = [packet for packet in by["transport:packet_sent"] if packet["raw"]["payload_length"]]
    assert len(data) == flow["sent_packets"]
    assert len(by["recovery:packet_lost"]) == pytest.approx(flow["retransmitted_packets"], abs=2)
    numbers = [packet["header"]["packet_number"] for packet in by["transport:packet_sent"]]
    assert numbers == list(range(len(numbers)))
    acked = [
        number
        for packet in by["transport:packet_received"]
        for frame in packet["frames"]
        for first, last in frame.get("acked_ranges", [])
        for number in range(first, last + 1)
    ]
    assert len(acked) == len(set(acked)), "a packet is acknowledged once"
    rows = result.decisions
    largest = max(update.get("congestion_window", 0) for update in by["recovery:metrics_updated"])
    assert largest == rows["cwnd"].max()
    recoveries = [
        update for update in by["recovery:congestion_state_updated"] if update["new"] == "recovery"
    ]
    assert len(recoveries) >= int(flow["recoveries"] > 0)


def test_a_loaded_run_writes_the_same_logs(logged: tuple[Result, Path], tmp_path: Path) -> None:
    again = Result.load(logged[1].parents[1])
    assert again.qlog == ["mine"]
    again.write(tmp_path / "copy", report=False)
    assert (tmp_path / "copy/qlog/mine.sqlog").read_bytes() == logged[1].read_bytes()


def test_an_entry_of_several_flows_has_a_log_each() -> None:
    result = _run("reno", count=2)
    assert [name for name, _ in result.qlogs()] == ["mine.1", "mine.2"]
    assert set(result.packets["point"].unique()) == {"sender"}
    assert result.decisions["flow"].unique().cast(pl.String).sort().to_list() == [
        "mine.1",
        "mine.2",
    ]


def test_a_session_s_connections_follow_each_other() -> None:
    result = _run(
        "reno", app={"kind": "short-flows", "size": "20kB", "interval": "exponential(200ms)"}
    )
    for _, text in result.qlogs():
        events = [json.loads(part) for part in text.split("\x1e")[2:]]
        sent = [event for event in events if event["name"] == "transport:packet_sent"]
        numbers = [event["data"]["header"]["packet_number"] for event in sent]
        assert len(numbers) == len(set(numbers))
        assert numbers == sorted(numbers)
