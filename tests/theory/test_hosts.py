"""Delays in hosts, and the phase of their clocks' ticks."""

import pytest

import ackclock as ac
from ackclock.results import Result

MEASURED = {"host_time": "uniform(10us, 40us)", "clock_phase": "uniform(0ms, 4ms)"}


def run(seed: int = 1, cc: str = "cubic", **transport: str) -> Result:
    flows = [ac.flow(cc, transport={"host_time": "0s", **transport})]
    return ac.run(
        ac.dumbbell(
            rate="20Mbit/s", rtt="40ms", buffer="0.5bdp", flows=flows, duration="10s", seed=seed
        )
    )


def least_rtt(result: Result) -> float:
    return float(result.flows["rtt_min"].item())


def test_the_rtt_has_what_both_hosts_take() -> None:
    plain, slow = run(), run(host_time="2ms")
    assert least_rtt(slow) - least_rtt(plain) == pytest.approx(4e-3, rel=1e-3)
    assert slow.flows["base_rtt"].item() == plain.flows["base_rtt"].item() == pytest.approx(0.040)


def test_a_time_that_is_drawn_grows_the_least_rtt_by_its_low_end_at_least() -> None:
    added = least_rtt(run(host_time="uniform(1ms, 3ms)")) - least_rtt(run())
    assert 2e-3 <= added < 6e-3


def mean_rtt(result: Result) -> float:
    return float(result.flows["rtt_mean"].item())


@pytest.mark.parametrize("cc", ["cubic", "reno"])
def test_seeds_differ_by_their_hosts_and_are_one_run_without(cc: str) -> None:
    assert len({mean_rtt(run(seed, cc, **MEASURED)) for seed in (1, 2, 3)}) == 3
    assert len({mean_rtt(run(seed, cc)) for seed in (1, 2, 3)}) == 1


def test_cubic_reads_a_clock_that_ticks() -> None:
    """A start within a tick moves a connection's windows by some packets, a whole tick by none."""
    at = {
        phase: run(clock_phase=phase, timestamp_clock="4ms").samples.flows["cwnd"].to_list()
        for phase in ("0ms", "1ms", "3ms", "4ms")
    }
    assert at["0ms"] == at["4ms"]
    assert at["0ms"] != at["1ms"] != at["3ms"]
