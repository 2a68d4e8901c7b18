"""A link that plays a trace does what mm-link does, packet for packet."""

from __future__ import annotations

from pathlib import Path
from random import Random

import polars as pl
import pytest

import ackclock as ac
from ackclock.scenario import mahimahi
from ackclock.tools.link_trace import link_opportunities
from single_flow import row

MS = 1_000_000


def mm_link(lines: list[int], arrivals: list[tuple[int, int]]) -> list[int]:
    """Departures, ms, of packets (arrival, ms; bytes on the wire) by mm-link's loop."""
    waiting: list[tuple[int, int]] = []
    departures: list[int] = []
    base, line, at = 0, 0, 0
    in_transit = 0
    while len(departures) < len(arrivals):
        now = base + lines[line]
        # An arrival is taken in after all opportunities that are due; so only packets of earlier ms
        # are there.
        while at < len(arrivals) and arrivals[at][0] < now:
            waiting.append(arrivals[at])
            at += 1
        room = 1504
        while room > 0:
            if in_transit == 0:
                if not waiting:
                    break
                in_transit = waiting.pop(0)[1] + 4
            sent = min(room, in_transit)
            in_transit -= sent
            room -= sent
            if in_transit == 0:
                departures.append(now)
        line += 1
        if line == len(lines):
            line, base = 0, base + lines[-1]
    return departures


def play(
    lines: list[int], folder: Path, flows: list[ac.Flow], duration: str
) -> tuple[list[tuple[int, int]], list[int]]:
    """Arrivals and departures of a run over the trace."""
    trace = folder / "test.trace"
    trace.write_text("".join(f"{ms}\n" for ms in lines))
    scenario = ac.dumbbell(
        profile="rfc",
        rate={"trace": str(trace)},
        rtt="20ms",
        buffer="80 packets",
        flows=flows,
        duration=duration,
        record={"packets": ["bottleneck"], "samples": "off"},
    )
    packets = ac.run(scenario).packets
    events = packets["event"].cast(pl.String)
    arrived = packets.filter(events == "send").select("time_ns", "wire_size").rows()
    received = packets.filter(events == "receive")["time_ns"].to_list()
    assert all((time - 10 * MS) % MS == 0 for time in received), "all leave at a whole ms"
    return [(time // MS, size) for time, size in arrived], [
        (time - 10 * MS) // MS for time in received
    ]


@pytest.mark.parametrize("seed", range(4))
def test_every_packet_leaves_when_mm_link_would_let_it(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    # Some ms with several opportunities, some long gaps; a first line of 0 or not.
    lines = sorted(
        random.choice([0, 1, 7]) + int(2000 * random.random() ** 2) for _ in range(600 + 300 * seed)
    )
    flows = [
        ac.flow("cubic"),
        ac.flow("reno", start="100ms", transport={"mss": "536 B"}),
        ac.flow("bbr", start="200ms", transport={"mss": "1000 B"}),
    ]
    arrivals, departures = play(lines, tmp_path, flows, "6s")
    assert len(departures) > 1000
    assert departures == mm_link(lines, arrivals)[: len(departures)]


# 1 %: opportunities of an idle moment are lost, and nothing else is.
def test_a_line_per_ms_is_12_mbit_per_s(tmp_path: Path) -> None:
    trace = tmp_path / "constant.trace"
    ac.write_mahimahi("12Mbit/s", trace, duration="1s")
    assert trace.read_text() == "".join(f"{ms}\n" for ms in range(1, 1001))
    links = []
    for rate in ("12Mbit/s", {"trace": str(trace)}):
        scenario = ac.dumbbell(
            profile="rfc",
            rate=rate,
            rtt="40ms",
            flows=[ac.flow("cubic")],
            duration="20s",
            warmup="5s",
        )
        links.append(row(ac.run(scenario), link=True))
    constant, traced = links
    assert traced["rate"] == constant["rate"] == 12e6
    assert traced["delivered_bytes"] == pytest.approx(constant["delivered_bytes"], rel=0.01)
    assert traced["utilisation"] == pytest.approx(1.0, abs=0.01)


def test_a_trace_read_and_written_is_the_same_file(tmp_path: Path) -> None:
    given = Path(__file__).parents[2] / "scenarios" / "links" / "cellular.trace"
    written = ac.write_mahimahi(
        ac.load(given.parents[1] / "cellular.toml"), tmp_path / "again.trace"
    )
    assert written.read_bytes() == given.read_bytes()


@pytest.mark.parametrize(
    ("rate", "outages", "expected"),
    [
        # 10 Mbit/s is a packet per 1.2 ms: the k-th at 1.2 k, in the ms in which it is complete.
        (
            {"schedule": [["0s", "10Mbit/s"], ["6ms", "0bit/s"]], "period": "12ms"},
            None,
            [2, 3, 4, 5, 12],
        ),
        (
            {"schedule": [["0s", "12Mbit/s"], ["3ms", "24Mbit/s"]], "period": "5ms"},
            None,
            [1, 2, 3, 4, 4, 5, 5],
        ),
        # A packet that an outage interrupts is complete after it.
        ({"schedule": [["0s", "12Mbit/s"]]}, [["1500us", "4500us"]], [1, 5, 6, 7, 8, 9, 10]),
    ],
)
def test_a_schedule_becomes_the_ms_in_which_packets_are_complete(
    rate: dict[str, object], outages: list[list[str]] | None, expected: list[int]
) -> None:
    scenario = ac.dumbbell(
        profile="rfc",
        rate=rate,
        outages=outages,
        rtt="20ms",
        flows=[ac.flow("reno")],
        duration="10ms",
    )
    schedule = link_opportunities(scenario)
    assert [ms for ms, count in schedule for _ in range(count)] == expected
    assert mahimahi.parse(mahimahi.text(schedule)) == schedule


def test_what_a_run_delivered_is_what_its_link_sent(tmp_path: Path) -> None:
    scenario = ac.dumbbell(
        profile="rfc",
        rate="10Mbit/s",
        rtt="40ms",
        flows=[ac.flow("cubic")],
        duration="5s",
        record={"packets": ["bottleneck"]},
    )
    result = ac.run(scenario)
    folder = result.write(tmp_path / "run", plots=False, report=False)
    schedule = link_opportunities(str(folder), delivered=True)
    opportunities = sum(count for _, count in schedule)
    assert opportunities == pytest.approx(row(result, link=True)["delivered_bytes"] / 1500, abs=20)
    assert schedule[-1][0] == 5000
    with pytest.raises(
        ac.ScenarioError,
        match=r"were not recorded: run the scenario with record.packets = \['bottleneck.reverse'\]",
    ):
        link_opportunities(result, link="bottleneck.reverse", delivered=True)
