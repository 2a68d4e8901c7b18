"""Do measures give what runs made by hand were made with?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ackclock.validation.figures import figures_of
from observed_runs import MSS, RATE, bbr_of, flow_of, run_of

if TYPE_CHECKING:
    from ackclock.metrics.recorded_run import RecordedRun


def figures(run: RecordedRun) -> dict[str, float]:
    return {str(key): value for key, value in figures_of(run).items()}


def test_rates_delays_and_losses_of_one_flow() -> None:
    measured = figures(run_of())
    assert measured["goodput"] == pytest.approx(RATE)
    assert measured["rtt_mean"] == pytest.approx(0.084)
    assert (measured["rtt_p5"], measured["rtt_p50"], measured["rtt_p95"]) == (0.080, 0.080, 0.120)
    assert measured["queue"] == pytest.approx(20.0)
    # Two packets at 15, 20, ... 40 s of 30 s: six times; in all at 5 and 10 s too.
    assert measured["retransmitted"] == pytest.approx(12, abs=0.01)
    assert measured["retransmitted_in_all"] == pytest.approx(16)
    assert measured["retransmit_share"] == pytest.approx(12 / (30 * RATE / 8 / MSS), rel=0.01)
    # Drops just before 15, ... 35 s, two each; those before 40 s are not made.
    assert measured["drops"] == 10
    assert measured["episodes"] == 5


def test_a_sawtooth() -> None:
    measured = figures(run_of())
    # The last sample before a reduction, at 4.99 s of 5; the first after it, at 0.10 s.
    assert measured["cwnd_peak"] == pytest.approx(99.9)
    assert measured["cwnd_trough"] == pytest.approx(51.0)
    assert measured["period"] == pytest.approx(5.0)
    assert measured["cwnd_mean"] == pytest.approx(75.0, rel=0.01)


def test_slow_start_that_hystart_ends_and_that_a_loss_ends() -> None:
    by_itself = figures(run_of())
    assert by_itself["slow_start_time"] == pytest.approx(1.0)
    assert by_itself["slow_start_cwnd"] == pytest.approx(50.0)
    flow = flow_of()
    by_loss = figures(run_of(flow_of(state=np.where(flow.time >= 1.0, 3, 0))))
    # The window in the sample before: that in it is reduced already.
    assert by_loss["slow_start_cwnd"] == pytest.approx(50 + 9.9)


def test_phases_of_bbr() -> None:
    measured = figures(run_of(bbr_of()))
    assert measured["startup_end"] == pytest.approx(1.0)
    assert measured["cycle"] == pytest.approx(0.5)
    assert measured["cycle_rtt_peak"] == pytest.approx(0.120)
    assert measured["cycle_rtt_trough"] == pytest.approx(0.080)
    assert measured["bandwidth"] == pytest.approx(9.5e6)
    assert measured["probe_rtt_count"] == 1
    assert measured["probe_rtt_first"] == pytest.approx(10.0)
    assert measured["probe_rtt_length"] == pytest.approx(0.3)


def test_a_path_of_few_packets_is_no_probe_rtt() -> None:
    """In PROBE_BW the window is four packets there, and the pacing gain 1 six times of eight."""
    known = bbr_of()
    dip = known.cwnd == 4.0
    small = bbr_of(cwnd=np.full(len(known.time), 4.0), window_gain=np.where(dip, 1.0, 2.0))
    measured = figures(run_of(small))
    assert measured["probe_rtt_count"] == 1
    assert measured["probe_rtt_length"] == pytest.approx(0.3)
    assert (
        figures(run_of(replace(small, window_gain=np.full(len(known.time), 2.0))))[
            "probe_rtt_count"
        ]
        == 0
    )
    assert "cwnd_peak" not in measured


def test_gains_before_the_first_sample_are_no_probe_rtt() -> None:
    known = bbr_of()
    first = (known.time > 0.02) & (known.time < 0.08)
    gains = {
        "gain": np.where(first, 1.0, known.gain),
        "window_gain": np.where(first | (known.cwnd == 4.0), 1.0, 2.0),
    }
    assert figures(run_of(bbr_of(**gains)))["probe_rtt_count"] == 2
    silent = bbr_of(**gains, bandwidth=np.where(first, 0.0, known.bandwidth))
    assert figures(run_of(silent))["probe_rtt_count"] == 1
    assert figures(run_of(silent))["probe_rtt_first"] == pytest.approx(10.0)


def test_two_flows_share_and_three_by_algorithm() -> None:
    half = flow_of(acked=flow_of().acked / 2)
    two = figures(run_of(flow_of(name="a"), flow_of(name="b", acked=half.acked)))
    assert two["share@a"] == pytest.approx(2 / 3)
    assert two["jain"] == pytest.approx(0.9)
    three = figures(run_of(flow_of(name="a"), flow_of(name="b"), bbr_of(name="c")))
    assert three["share@reno"] == pytest.approx(2 / 3)
    assert "share@bbr" not in three
    assert three["retransmitted@reno"] == pytest.approx(24, abs=0.02)
    assert three["retransmitted@bbr"] == 0


def test_files() -> None:
    times = (0.1, 0.2, 0.3, 2.0)
    files = [
        flow_of(name=f"file{place}", is_file=True, fct=fct)
        for place, fct in enumerate((*times, None))
    ]
    measured = figures(run_of(*files))
    assert measured["fct_mean"] == pytest.approx(0.65)
    assert measured["fct_p50"] == pytest.approx(0.25)
    assert measured["fct_p95"] == pytest.approx(0.3 + 0.85 * 1.7)
    assert measured["finished"] == 4
    assert not {"goodput", "period", "slow_start_time"} & measured.keys()


def test_transfers_of_a_session() -> None:
    session = flow_of(
        name="web", is_file=True, starts=np.array([1.0, 2.0]), transfers=np.array([0.5, 1.5])
    )
    measured = figures(run_of(session, flow_of(name="bulk")))
    assert measured["fct_mean"] == pytest.approx(1.0)
    assert measured["finished"] == 2
    # It is no share of a link's rate, and its window is none.
    assert "share@web" not in measured
    assert measured["cwnd_peak"] == pytest.approx(99.9)


def test_without_a_warm_up_the_whole_run_is_the_steady_part() -> None:
    measured = figures(run_of(warmup=0.0))
    assert "retransmit_share_in_all" in measured
    assert "retransmit_share" not in measured


def test_a_flow_that_never_began_breaks_nothing() -> None:
    empty = np.empty(0)
    silent = dict.fromkeys(
        ("time", "cwnd", "ssthresh", "acked", "retransmitted", "gain", "bandwidth", "drops"), empty
    )
    never = flow_of(name="never", state=empty.astype(np.int64), **silent)
    assert figures(run_of(flow_of(name="a"), never))["share@a"] == 1.0
    assert figures(run_of(never))["goodput"] == 0.0
    assert "cycle" not in figures(run_of(bbr_of(name="b", state=empty.astype(np.int64), **silent)))
