"""The cost of a loss to those that ask for its cause or the path's length, and of not yielding."""

from typing import Any

import numpy as np
import pytest

from ackclock.theory import square_root_window
from single_flow import row, run_alone, window

LOSSY: dict[str, Any] = {"kind": "bernoulli", "p": 1e-3}


def goodput(cc: str, **scenario: Any) -> float:
    return float(row(run_alone(cc, record={"samples": "off"}, **scenario))["goodput"])


def test_veno_gives_up_a_fifth_on_an_empty_path() -> None:
    seen = window(
        run_alone(
            "veno",
            rate="1Gbit/s",
            rtt="50ms",
            duration="30s",
            ssthresh="150 packets",
            loss={"kind": "periodic", "every": 10_000},
        )
    )
    assert len(seen.begins) > 8
    # Whole packets of 200.
    assert seen.troughs / seen.peaks[: len(seen.troughs)] == pytest.approx(
        np.full(len(seen.troughs), 0.8), abs=0.005
    )


@pytest.mark.parametrize("reset_base", ["true", "false"])
def test_veno_gives_up_half_at_a_full_queue_and_fills_it_more_slowly(reset_base: str) -> None:
    path = {"rate": "10Mbit/s", "rtt": "60ms", "duration": "60s", "warmup": "10s"}
    veno = window(run_alone(f"veno(reset_base={reset_base})", **path), since=10)
    reno = window(run_alone("reno", **path), since=10)
    assert veno.troughs[:4] / veno.peaks[:4] == pytest.approx(np.full(4, 0.5), abs=0.005)
    # From 51 packets to 102, of which it counts as congested from 54 on: nearly twice as long.
    assert np.mean(veno.periods) / np.mean(reno.periods) == pytest.approx(1.8, rel=0.05)


def test_westwood_keeps_the_rate_under_random_loss() -> None:
    """100 Mbit/s and 50 ms, a packet in a thousand lost."""
    path = {"rate": "100Mbit/s", "rtt": "50ms", "duration": "60s", "warmup": "20s", "loss": LOSSY}
    reno, westwood = goodput("reno", **path), goodput("westwood", **path)
    assert reno == pytest.approx(square_root_window(1e-3, 1.31) * 1448 * 8 / 0.05, rel=0.15)
    assert westwood > 4 * reno


def test_westwood_knows_too_little_of_the_path_after_slow_start() -> None:
    """Two filters see a doubling rate as a twentieth of it; growth from there is Reno's."""
    assert goodput("westwood", rate="1Gbit/s", rtt="100ms", duration="30s", warmup="5s") < 0.10e9
    assert goodput("westwood", rate="10Mbit/s", rtt="60ms", duration="30s", warmup="5s") > 9.2e6


def test_hybla_brings_a_short_paths_rate_to_a_satellite() -> None:
    """10 Mbit/s, a packet in a hundred lost: 600 ms against Reno at the reference 25 ms."""
    path = {
        "rate": "10Mbit/s",
        "duration": "100s",
        "warmup": "20s",
        "loss": {"kind": "bernoulli", "p": 0.01},
    }
    short, long = goodput("reno", rtt="25ms", **path), goodput("reno", rtt="600ms", **path)
    hybla = goodput("hybla", rtt="600ms", ssthresh="500 packets", **path)
    assert long < 0.06 * short
    # 30 %: with rho = 24 a window grows by 576 packets a round trip, so there is a loss in nearly
    # each, and recovery.
    assert hybla == pytest.approx(short, rel=0.30)


def test_a_cut_of_less_than_a_packet_does_not_end_an_overload() -> None:
    """IIAD after slow start has twice the BDP, and a loss takes two thirds of a packet."""
    result = run_alone(
        "binomial(k=1, l=0)", rate="10Mbit/s", rtt="60ms", duration="60s", record={"samples": "off"}
    )
    assert row(result)["loss_rate"] > 0.10
