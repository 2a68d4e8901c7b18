"""CUBIC between losses: 1 Gbit/s, 100 ms, one per 200 000 packets: the cubic region rules."""

import numpy as np
import pytest

from ackclock.theory import cubic_average_window, cubic_plateau_time, cubic_window
from single_flow import run_alone, window


# 2 %. The sender aims a round trip ahead and gets there in a round trip, so it lags by what the
# curve bends in that time, 0.7 % at the beginning; Linux rounds to whole packets. Linux holds C as
# 410/1024.
@pytest.mark.long
@pytest.mark.parametrize(("form", "c"), [("linux=false", 0.4), ("linux=true", 410 / 1024)])
def test_window_between_losses(form: str, c: float) -> None:
    result = run_alone(
        f"classic+cubic(reno_friendly=false, fast_convergence=false, {form})",
        ssthresh="1500 packets",
        rate="1Gbit/s",
        rtt="100ms",
        duration="80s",
        loss={"kind": "periodic", "every": 200_000},
        record={"samples": "10ms"},
    )
    seen = window(result)
    assert len(seen.begins) > 6
    for begin, end, next_begin in zip(seen.begins, seen.ends, seen.begins[1:], strict=False):
        w_max, start = seen.cwnd[begin - 1], seen.cwnd[end]
        assert start == pytest.approx(0.7 * w_max, rel=0.01)
        stage = slice(end, next_begin)
        times = seen.time[stage] - seen.time[end]
        curve = np.array([cubic_window(time, w_max, start, c=c) for time in times])
        assert np.abs(seen.cwnd[stage] / curve - 1).max() < 0.02


def test_past_the_plateau_it_is_convex() -> None:
    """One loss, then 1.5 K without: the same curve beyond the old peak, within 2 % as before."""
    result = run_alone(
        "classic+cubic(linux=false)",
        ssthresh="1000 packets",
        rate="10Gbit/s",
        rtt="50ms",
        duration="16s",
        loss={"kind": "list", "packets": [20_000]},
        record={"samples": "10ms"},
    )
    seen = window(result)
    w_max, start = seen.peaks[0], seen.troughs[0]
    after = slice(seen.ends[0], None)
    times = seen.time[after] - seen.time[seen.ends[0]]
    assert times[-1] > 1.4 * cubic_plateau_time(w_max)
    curve = np.array([cubic_window(time, w_max, start) for time in times])
    assert np.abs(seen.cwnd[after] / curve - 1).max() < 0.02
    at_plateau = seen.cwnd[after][np.searchsorted(times, cubic_plateau_time(w_max, start))]
    assert at_plateau == pytest.approx(w_max, rel=0.01)


# 5 %: the peak comes closer to its fixed point only by the cube of its distance in a period, and
# has 25 of them.
@pytest.mark.long
def test_average_window() -> None:
    p, rtt = 1e-5, 0.1
    window_expected = cubic_average_window(p, rtt)
    result = run_alone(
        "classic+cubic(linux=false)",
        ssthresh=f"{int(window_expected)} packets",
        rate="10Gbit/s",
        rtt="100ms",
        duration="260s",
        warmup="30s",
        loss={"kind": "periodic", "every": round(1 / p)},
        transport={"receive_buffer": "1GB"},
        record={"samples": "10ms"},
    )
    counters = result.flows.row(0, named=True)
    assert counters["goodput"] * rtt / (8 * 1448) == pytest.approx(window_expected, rel=0.05)
