"""Test cases of draft-ietf-ccwg-bbr's appendix, each named by the case's number.

These are the cases that a scenario can say.

Those whose path changes when the connection reaches some state are in
`crates/sim/tests/bbr_draft_cases/`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

import ackclock as ac
from single_flow import MSS, PACKET, row, run_alone

if TYPE_CHECKING:
    from ackclock.results import Result

SCENARIOS = Path(__file__).parents[2] / "scenarios" / "bbr-draft"
STARTUP, DRAIN, DOWN, CRUISE, REFILL, UP, PROBE_RTT = range(7)
MIN_PIPE = 4 * MSS


class Record:
    """A flow's internals and its window at every change."""

    def __init__(self, result: Result) -> None:
        self.result = result
        name = pl.col("name").cast(pl.String)
        internals = result.samples.internals.with_columns(name).pivot(
            on="name", index="time", values="value", aggregate_function="last"
        )
        self.table = internals.sort("time").join_asof(
            result.samples.flows.select("time", "cwnd", "inflight", "pacing_rate").sort("time"),
            on="time",
        )
        state = self["mode" if "mode" in self.table.columns else "state"]
        first = np.flatnonzero(np.diff(state, prepend=-1))
        self.entries = [(int(state[at]), int(at)) for at in first]
        """State and row of each entry."""

    def __getitem__(self, name: str) -> np.ndarray:
        """A column; NaN where the value is not known yet, or unbounded."""
        if name not in self.table.columns:
            return np.full(len(self.table), np.nan)
        return self.table[name].cast(pl.Float64).fill_null(np.nan).to_numpy()

    @property
    def order(self) -> list[int]:
        return [state for state, _ in self.entries]

    def rows(self, state: int) -> list[slice]:
        """Of each stay in a state that is over."""
        return [
            slice(at, until)
            for (entered, at), (_, until) in zip(self.entries, self.entries[1:], strict=False)
            if entered == state
        ]

    def bdp(self) -> np.ndarray:
        return self["bw"] / 8 * self["min_rtt"]


@cache
def record(name: str, cc: str = "bbr3", *settings: str) -> Record:
    return Record(
        ac.run(ac.load(SCENARIOS / f"{name}.toml", settings=[f"flows.cc={cc}", *settings]))
    )


def payload(rate: float) -> float:
    return rate * MSS / PACKET


# 2 %, as the draft says.
@pytest.mark.parametrize("cc", ["bbr3", "bbr"])
def test_01_startup_ends_on_a_plateau(cc: str) -> None:
    seen = record("01-startup-plateau", cc)
    assert seen.order[:2] == [STARTUP, DRAIN]
    drain = seen.entries[1][1]
    assert seen["bw"][drain] == pytest.approx(payload(10e6), rel=0.02)
    if cc == "bbr":
        assert seen["full_pipe"][drain] == 1
        return
    assert [seen[name][drain] for name in ("full_bw_count", "full_bw_now", "full_bw_reached")] == [
        3,
        1,
        1,
    ]
    assert seen["full_bw_count"][:drain].max() == 2
    # Three rounds after the one that still brought a quarter more.
    grew = np.flatnonzero(seen["full_bw_count"][:drain] == 0)[-1]
    assert seen["round_count"][drain] - seen["round_count"][grew] == 3


# The draft's ranges: RTTs from below 1 ms to 1 s, rates from 64 kbit/s (case 14) to 10 Gbit/s. With
# an RTT of a second PROBE_RTT interrupts STARTUP several times before it has counted three rounds;
# they need not be in a row.
@pytest.mark.parametrize(
    ("rate", "rtt", "buffer", "duration"),
    [
        ("1Mbit/s", "1s", "2bdp", "60s"),
        ("10Mbit/s", "300ms", "2bdp", "8s"),
        ("100Mbit/s", "500us", "50 packets", "100ms"),
        ("10Gbit/s", "1ms", "2bdp", "100ms"),
    ],
)
def test_01_over_the_ranges(rate: str, rtt: str, buffer: str, duration: str) -> None:
    result = run_alone(
        "bbr3", rate=rate, rtt=rtt, buffer=buffer, duration=duration, record={"samples": "changes"}
    )
    seen = Record(result)
    full = np.flatnonzero(seen["full_bw_reached"])[0]
    assert seen["full_bw_count"][full] == 3
    assert seen["max_bw"][full] == pytest.approx(payload(row(result, link=True)["rate"]), rel=0.02)


def test_02_losses_end_startup_though_the_application_limits() -> None:
    seen = record("02-startup-loss-application-limited")
    # So little is in flight that DRAIN and PROBE_DOWN end with the ACK that begins them.
    assert seen.order[:2] == [STARTUP, CRUISE]
    drain = seen.entries[1][1]
    assert seen["full_bw_count"][drain] < 3
    assert [seen[name][drain] for name in ("full_bw_now", "full_bw_reached")] == [1, 1]
    # max(bdp, inflight_latest)
    assert seen["inflight_longterm"][drain] == pytest.approx(max(seen.bdp()[drain], 60e3), rel=0.01)
    # Packet 400 leaves in the first second; a round trip to see a loss, and two more for a round of
    # recovery.
    assert 0.9 < seen["time"][drain] < 2.0


def test_02_version_1_does_not_mind() -> None:
    assert record("02-startup-loss-application-limited", "bbr").order == [STARTUP]


@pytest.mark.parametrize("cc", ["bbr3", "bbr"])
def test_03_drain_ends_with_a_bdp_in_flight(cc: str) -> None:
    seen = record("03-drain-inflight", cc)
    (drain,) = seen.rows(DRAIN)
    # 1 / 2; 1 / 2.885, in 256ths, in version 1.
    assert seen["pacing_gain"][drain] == pytest.approx(0.5 if cc == "bbr3" else 88 / 256)
    # The ACK that ends it lets two segments go at once. Version 1 adds three bursts for the hosts
    # and takes out what is not paced out yet.
    budget = 0 if cc == "bbr3" else 10 * MSS
    bdp = seen.bdp()[drain.stop] + budget
    assert seen["inflight"][drain.stop - 1] > bdp - 2 * MSS
    assert seen["inflight"][drain.stop] <= bdp + 2 * MSS


def test_05_a_probe_ends_on_a_plateau() -> None:
    seen = record("05-probe-up-plateau")
    up = seen.rows(UP)[0]
    assert seen["pacing_gain"][up] == pytest.approx(1.25)
    assert seen["cwnd_gain"][up] == pytest.approx(2.25)
    assert [seen[name][up.stop] for name in ("full_bw_count", "full_bw_now")] == [3, 1]
    assert seen["round_count"][up.stop] - seen["round_count"][up.start] == 3
    assert row(seen.result)["lost_packets"] == 0
    assert seen["state"][up.stop] == DOWN


def writes(every: float, size: str, seconds: float) -> dict[str, object]:
    return {
        "kind": "writes",
        "writes": [[f"{round(1000 * every * n)}ms", size] for n in range(int(seconds / every))],
    }


def limited(cc: str, app: dict[str, object]) -> Record:
    flow = ac.flow(cc, app=app)
    scenario = ac.dumbbell(
        profile="rfc",
        flows=[flow],
        rate="50Mbit/s",
        rtt="100ms",
        duration="20s",
        record={"samples": "changes"},
    )
    return Record(ac.run(scenario))


@pytest.mark.parametrize("cc", ["bbr3", "bbr"])
def test_07_without_losses_an_application_limited_startup_goes_on(cc: str) -> None:
    # Nothing is in flight between two writes; the pauses take the place of ProbeRTT. In version 1 a
    # pause does so only for the first ACK after it: 10 s after the handshake, at 10.1 s, none of a
    # write's later ACKs is due, as it would be with a write each 0.25 s.
    assert limited(cc, writes(0.3, "20kB", 20)).order == [STARTUP]


def test_08_a_probes_queue_is_drained() -> None:
    seen = record("08-probe-down-inflight")
    down = seen.rows(DOWN)[-1]
    assert seen["pacing_gain"][down] == pytest.approx(0.9)
    assert seen["state"][down.stop] == CRUISE
    bdp = seen.bdp()[down.stop]
    assert seen["inflight"][down.stop - 1] > bdp - 2 * MSS
    assert seen["inflight"][down.stop] <= bdp + 2 * MSS
    # inflight_longterm is not set, and headroom no condition.
    assert np.isnan(seen["inflight_longterm"][down.stop])


def test_10_probe_rtt_comes_and_goes() -> None:
    seen = record("10-probe-rtt")
    dips = seen.rows(PROBE_RTT)
    assert len(dips) == 2
    # 5 s after the smallest RTT, the handshake's, and after the first ProbeRTT; a few ACKs' time
    # more.
    first, second = (seen["time"][dip.start] for dip in dips)
    assert first == pytest.approx(5.06, abs=0.02)
    assert second - seen["time"][dips[0].stop] == pytest.approx(5.0, abs=0.02)
    for dip in dips:
        assert seen["cwnd_gain"][dip] == pytest.approx(0.5)
        half = np.floor(0.5 * seen.bdp()[dip.start])
        assert seen["cwnd"][dip] == pytest.approx(max(half, MIN_PIPE), rel=0.01)
        # It takes a part of a round trip to get there, then 200 ms.
        assert 0.2 <= seen["time"][dip.stop] - seen["time"][dip.start] <= 0.2 + 0.07
        assert seen["round_count"][dip.stop] - seen["round_count"][dip.start] >= 1
        assert seen["full_bw_reached"][dip.stop] == 1
        assert seen["state"][dip.stop] == CRUISE
    assert row(seen.result)["goodput"] > 0.94 * payload(10e6)


def test_11_a_pause_takes_the_place_of_probe_rtt() -> None:
    seen = record("11-probe-rtt-skipped-after-idle")
    restarts = np.flatnonzero((seen["idle_restart"] == 1) & (seen["time"] >= 10))
    assert len(restarts) > 0
    assert PROBE_RTT not in seen.order
    # And the flow is at its rate at once: in the first round trip two thirds of the BDP are out.
    soon = (seen["time"] > 10.055) & (seen["time"] < 10.062)
    assert seen["inflight"][soon].max() > 0.66 * seen.bdp()[restarts[-1]]


@pytest.mark.parametrize(("resumes", "dips"), [("10s", 1), ("10.1s", 0)])
def test_11_version_1_neither_if_the_pause_outlasts_its_interval(resumes: str, dips: int) -> None:
    # Its smallest RTT is the handshake's, at 60 ms, and 10 s old in the jiffy after 10.06 s. Data
    # from 10 s on is acknowledged from 10.061 s on: that ACK is too early by a jiffy, and the next
    # one is not the first after the pause (bbr_update_min_rtt's idle_restart).
    scenario = ac.load(
        SCENARIOS / "11-probe-rtt-skipped-after-idle.toml",
        settings=["flows.cc=bbr", f'flows.app.writes=[["0s", "4MB"], ["{resumes}", "10MB"]]'],
    )
    seen = Record(ac.run(scenario))
    version_1_probe_rtt = 3
    assert seen.order.count(version_1_probe_rtt) == dips
    if dips:
        at = seen["time"][seen.rows(version_1_probe_rtt)[0].start]
        assert 10.064 <= at < 10.068


# Each ACK is for 32 packets, 48 kB or 18 ms of the rate. 3 %: the delivery rate is that between
# ACKs, and rounded to them.
@pytest.mark.parametrize("cc", ["bbr3", "bbr"])
def test_12_startup_finds_the_rate_through_aggregated_acks(cc: str) -> None:
    seen = record("12-startup-aggregation", cc)
    assert seen.order[:2] == [STARTUP, DRAIN]
    drain = seen.entries[1][1]
    assert seen["bw"][drain] == pytest.approx(payload(20e6), rel=0.03)
    assert seen["extra_acked"][drain] >= 32 * MSS
    assert seen["cwnd"][drain] > 2 * seen.bdp()[drain]
    # 40 ms, doubling from 10 packets to the 67 of the BDP takes 3 round trips, and 3 more show the
    # plateau.
    assert seen["time"][drain] < 1.0
    if cc == "bbr3":
        assert seen["round_count"][drain] <= 9


# 5 %: a batch has the packets of 30 ms and one or two more, those of the ACK that opened the slot.
@pytest.mark.parametrize("cc", ["bbr3", "bbr"])
def test_13_cruising_makes_room_for_aggregated_acks(cc: str) -> None:
    seen = record("13-cruise-aggregation", cc)
    slot = payload(20e6) / 8 * 0.03
    assert seen["extra_acked"][seen["time"] > 4].max() == pytest.approx(slot, rel=0.05)
    samples = seen.result.samples.flows.filter(pl.col("time").is_between(2, 5))
    delivered = samples["delivered"][-1] - samples["delivered"][0]
    # Pacing is 1 % below the estimate.
    assert 8 * delivered / (samples["time"][-1] - samples["time"][0]) > 0.97 * payload(20e6)
    if cc == "bbr3":
        last = seen.rows(CRUISE)[0].stop - 1
        assert seen["cwnd"][last] == pytest.approx(2 * seen.bdp()[last] + slot, rel=0.05)


# 1 %: 1500 bytes are 187.5 ms, and the sample of an odd number of packets is rounded to them.
# Between the RFCs' hosts: a Linux host delays one ACK by 40 ms and the next by nothing, so that
# five packets seem to take 40 ms less: the largest sample is 4.5 % above the path's rate.
def test_14_four_packets_are_the_floor() -> None:
    seen = record("14-sub-packet-bdp", "bbr3", "profile=rfc")
    # The initial window and as much again are queued until STARTUP ends. Three rounds of them take
    # 10 s and are interrupted by PROBE_RTT, once more if the first segments have an ACK for two:
    # until 21 s or 30 s.
    steady = seen["time"] > 35
    assert STARTUP not in set(seen["state"][steady])
    assert seen["max_bw"][steady] == pytest.approx(payload(64e3), rel=0.01)
    assert seen["pacing_rate"][steady & (seen["state"] == CRUISE)] == pytest.approx(
        0.99 * payload(64e3), rel=0.01
    )
    assert seen["cwnd"].min() >= MIN_PIPE
    dips = seen.rows(PROBE_RTT)
    assert len(dips) > 5
    for dip in dips:
        assert seen["cwnd"][dip] == pytest.approx(MIN_PIPE)
    # Nor can it measure less than what the four take, so that twice that is the window.
    assert seen["min_rtt"][steady] == pytest.approx(4 * PACKET * 8 / 64e3, rel=0.01)
    assert seen["cwnd"][steady].max() <= 12 * MSS
    link = row(seen.result, link=True)
    assert link["utilisation"] > 0.99
    assert link["dropped_packets"] == 0


def since_the_change(seen: Record, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Seconds since the rate changed, and a variable, from then on."""
    later = seen["time"] >= 8
    return seen["time"][later] - 8, seen[name][later]


@pytest.mark.long
def test_15_ten_times_the_bandwidth_is_found_in_one_probe() -> None:
    seen = record("15-ten-times-the-bandwidth")
    time, bandwidth = since_the_change(seen, "max_bw")
    assert bandwidth[0] == pytest.approx(payload(10e6), rel=0.01)
    assert bandwidth.max() == pytest.approx(payload(100e6), rel=0.01)
    first = np.flatnonzero(bandwidth > 0.98 * payload(100e6))[0]
    # The wait for the probe is 2 to 3 s from the last; the steps of its growth double each round
    # trip, and three bits are to be found.
    assert time[first] < 3 + 25 * 0.05
    ups = [
        seen["time"][up.start]
        for up in seen.rows(UP)
        if 8 <= seen["time"][up.start] <= 8 + time[first]
    ]
    assert len(ups) == 1


@pytest.mark.long
def test_15_version_1_needs_a_cycle_per_quarter() -> None:
    time, bandwidth = since_the_change(record("15-ten-times-the-bandwidth", "bbr"), "bw")
    # ln 10 / ln 1.25 cycles of eight round trips, and one to begin with.
    assert time[np.flatnonzero(bandwidth > 0.95 * payload(100e6))[0]] < 11.3 * 8 * 0.05


@pytest.mark.long
def test_16_a_tenth_of_the_bandwidth_is_accepted() -> None:
    seen = record("16-a-tenth-of-the-bandwidth")
    time, short = since_the_change(seen, "bw_shortterm")
    _, bandwidth = since_the_change(seen, "max_bw")
    assert bandwidth[0] == pytest.approx(payload(100e6), rel=0.01)
    # Losses tell within a few round trips; the long-term estimate has two cycles' memory.
    assert time[np.flatnonzero(short < 0.6 * payload(100e6))[0]] < 0.5
    assert time[np.flatnonzero(short < 1.05 * payload(10e6))[0]] < 3
    assert 2 < time[np.flatnonzero(bandwidth < 1.02 * payload(10e6))[0]] < 10
    late = seen.result.samples.flows.filter(pl.col("time") > 14)
    assert 8 * (late["delivered"][-1] - late["delivered"][0]) / 10 > 0.94 * payload(10e6)


@pytest.mark.long
def test_16_version_1_forgets_in_ten_rounds() -> None:
    time, bandwidth = since_the_change(record("16-a-tenth-of-the-bandwidth", "bbr"), "bw")
    # With 40 ms of buffer, full, a round takes 80 ms. Four runs of the kernel have paced at 0.997
    # to 1.000 of the rate from then on.
    at = np.flatnonzero(bandwidth < 1.02 * payload(10e6))[0]
    assert time[at] < 11 * 0.08 + 0.5


@pytest.mark.parametrize("cc", ["bbr3", "bbr"])
def test_19_a_spurious_timeout_is_taken_back(cc: str) -> None:
    seen = record("19-spurious-timeout", cc)
    flow = row(seen.result)
    assert [flow[name] for name in ("timeouts", "spurious_timeouts", "undos", "lost_packets")] == [
        1,
        1,
        1,
        0,
    ]
    before, after = seen["time"] < 4, seen["time"] > 4.7
    assert seen["cwnd"][seen["time"] > 4].min() == MSS
    # RestoreCwnd.
    assert seen["cwnd"][after & (seen["time"] < 5)].max() > 0.85 * seen["cwnd"][before][-1]
    bw = seen["max_bw" if cc == "bbr3" else "bw"][after]
    assert bw.min() > 0.95 * payload(20e6)
    assert bw.max() < 1.15 * payload(20e6)


def test_14_version_1_has_the_same_floor() -> None:
    seen = record("14-sub-packet-bdp", "bbr")
    # A packet takes 188 ms: the first flight's second ACK comes after the RTO of 244 ms, and a
    # timeout has no floor. It is spurious, which that ACK shows. Two runs of the kernel had a
    # window of two packets from 0.31 to 0.42 s, and never less than four again.
    rows = seen.result.samples.flows.with_columns(until=pl.col("time").shift(-1))
    low = rows.filter(pl.col("cwnd") < MIN_PIPE)
    assert (low["cwnd"] == 2 * MSS).all()
    assert 0.25 < low["time"].min() < 0.32
    assert 0.41 < low["until"].max() < 0.43
    assert row(seen.result)["spurious_timeouts"] == row(seen.result)["timeouts"] == 1
    assert row(seen.result, link=True)["utilisation"] > 0.99


@pytest.mark.parametrize(("cc", "probe_rtt"), [("bbr3", PROBE_RTT), ("bbr", 3)])
def test_20_probe_rtt_in_startup_leads_back_to_startup(cc: str, probe_rtt: int) -> None:
    # A segment and a half every 5 ms: always something in flight, and never what the link could
    # take.
    seen = limited(cc, writes(0.005, "2kB", 20))
    assert seen.order[:3] == [STARTUP, probe_rtt, STARTUP]
    assert set(seen.order) == {STARTUP, probe_rtt}
    full = "full_bw_reached" if cc == "bbr3" else "full_pipe"
    assert seen[full].max() == 0


def test_21_losses_end_a_probe_and_set_inflight_longterm() -> None:
    seen = record("21-loss-in-probe-up")
    bound = seen["inflight_longterm"]
    ended = [
        up
        for up in seen.rows(UP)
        if seen["state"][up.stop] in (DOWN, CRUISE) and bound[up.stop] < bound[up.stop - 1]
    ]
    assert ended, "a probe that losses end"
    for up in ended:
        assert not np.isnan(bound[up.start]), "set before"
        assert seen["full_bw_count"][up.stop] < 3
        # max(inflight at the loss, 0.7 of the target): what the buffer of 0.2 BDP holds, as losses
        # are 2 %.
        assert bound[up.stop] >= 0.7 * seen.bdp()[up.stop]
        assert bound[up.stop] == pytest.approx(1.2 * seen.bdp()[up.stop], rel=0.1)
    assert row(seen.result)["loss_rate"] < 0.01
