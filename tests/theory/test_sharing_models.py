"""Published figures and limits: BBR's maps, BBR beside loss, Vegas, FAST, operating points."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from ackclock import theory

C = 10e6 / 8 / 1500
"""10 Mbit/s, packets/s."""


def test_two_flows_of_n_are_the_two_flow_map() -> None:
    two = theory.bbr_two_flow_map(0.9, 40)
    several = theory.bbr_flow_map([0.9, 0.1], 40)
    assert np.array([probe.filters for probe in several]) == pytest.approx(
        np.array([pair.filters for pair in two])
    )
    assert np.array([probe.rates for probe in several]) == pytest.approx(
        np.array([pair.rates for pair in two])
    )


# P2: from any start on y = 1 - x the filters come to 0.5556 and the rates alternate between 0.4444
# and 0.5556, in about 34 probes.
def test_two_flows_settle_as_printed() -> None:
    last, before = (theory.bbr_flow_map([0.7, 0.3], 200)[-k] for k in (1, 2))
    assert last.filters == pytest.approx((0.5556, 0.5556), abs=1e-4)
    assert sorted(last.rates) == pytest.approx([0.4444, 0.5556], abs=1e-4)
    assert last.rates == pytest.approx(before.rates[::-1], abs=1e-4)
    assert theory.bbr_settling_probes([0.86, 0.14]) == 34


@pytest.mark.long
@pytest.mark.parametrize("flows", [2, 3, 5, 10])
def test_n_flows_settle_where_the_closed_form_says(flows: int) -> None:
    start = [0.9] + [0.1 / (flows - 1)] * (flows - 1)
    probes = theory.bbr_settling_probes(start, within=1e-6)
    share = theory.bbr_filter_share(flows)
    assert theory.bbr_flow_map(start, probes)[-1].filters == pytest.approx(
        [share] * flows, rel=1e-6
    )
    assert sum(theory.bbr_flow_map(start, probes)[-1].filters) > 1


def test_flows_that_are_settled_take_no_probe() -> None:
    share = theory.bbr_filter_share(3)
    assert theory.bbr_settling_probes([share] * 3) == 0


@pytest.mark.parametrize("flows", [2, 5, 50])
def test_bbr_alone_keeps_a_path_of_queue_or_loses_up_to_a_fifth(flows: int) -> None:
    """Scherrer et al.

    2022: a queue of one BDP where it fits, 5 / (4 N + 1) of the link sent by each where it does
    not, loss up to 20 %.
    """
    assert theory.bbr_equilibrium(flows, 3) == theory.BbrEquilibrium(1.0, 1 / flows, 0.0, "window")
    shallow = theory.bbr_equilibrium(flows, 0.3)
    assert shallow.sent == pytest.approx(5 / (4 * flows + 1))
    assert shallow.lost == pytest.approx((flows - 1) / (5 * flows))
    assert shallow.lost < 0.2
    # All that is sent and not lost fills the link.
    assert flows * shallow.sent * (1 - shallow.lost) == pytest.approx(1)


def test_one_bbr_flow_alone_keeps_no_queue() -> None:
    assert theory.bbr_equilibrium(1, 5).queue_bdp == theory.bbr_equilibrium(1, 0).lost == 0


def test_bbr_has_half_of_a_deep_buffer_and_all_of_a_shallow_one() -> None:
    """Ware et al.

    2019: up to half of the link for one flow (their simple model), 100 % where the cap exceeds path
    and queue.
    """
    assert theory.bbr_share_against_loss(1e6, C, 0.04, probe_rtt=False) == pytest.approx(
        0.5, abs=1e-5
    )
    assert theory.bbr_share_against_loss(1.0, C, 0.04, probe_rtt=False) == 1
    # In deep buffers p is near 1/2 - 1/(2X), and does not ask how many loss-based flows there are;
    # N counts by 4 N / q.
    single, sixteen = (
        theory.bbr_share_against_loss(64, C, 0.04, n, probe_rtt=False) for n in (1, 16)
    )
    assert sixteen - single == pytest.approx(4 * 15 / (64 * C * 0.04))


@pytest.mark.parametrize(("buffer_bdp", "flows"), [(2, 1), (8, 4), (32, 1), (64, 16)])
def test_the_share_is_where_the_cap_meets_what_is_in_flight(buffer_bdp: float, flows: int) -> None:
    """Equation 8 without its closed form: 2 (1-p) c ((p q + 4 N)/c + l) = (1-p) (q + c l)."""
    rtt = 0.04
    queue, path = buffer_bdp * C * rtt, C * rtt

    def excess(p: float) -> float:
        cap = (
            2 * (1 - p) * C * theory.bbr_min_rtt_estimate(C, rtt, flows, loss_based_queue=p * queue)
        )
        return cap - (1 - p) * (queue + path)

    p = float(brentq(excess, 1e-9, 0.999))
    assert 1 - theory.bbr_share_against_loss(
        buffer_bdp, C, rtt, flows, probe_rtt=False
    ) == pytest.approx(p, rel=1e-6)


def test_probe_rtt_costs_more_in_deep_buffers() -> None:
    """Ware et al.

    2019 figure 7, 10 Mbit/s and 40 ms over 400 s: (2.56 + 0.2 + 0.04) s every 10 s at 64 BDP is 112
    s.
    """
    assert 400 * theory.bbr_probe_rtt_share(64, 0.04) == pytest.approx(112)
    assert theory.bbr_min_rtt_estimate(C, 0.04, 64) == pytest.approx(4 * 64 / C)


@pytest.mark.long
def test_fast_flows_of_any_rtt_share_alike() -> None:
    """The fixed point of W <- W base/RTT + alpha, found by repeating it."""
    rate, rtts, alpha = 8333.0, np.array([0.02, 0.06, 0.12]), 20.0
    windows = np.full(3, 10.0)
    for _ in range(5000):
        queue_delay = (
            float(brentq(lambda q, w=windows: np.sum(w / (rtts + q)) - rate, 0, 10))
            if np.sum(windows / rtts) > rate
            else 0.0
        )
        windows = 0.5 * windows + 0.5 * (rtts / (rtts + queue_delay) * windows + alpha)
    at = theory.fast_equilibrium(rate, rtts.tolist(), alpha)
    assert windows == pytest.approx(at.windows, rel=1e-6)
    assert queue_delay == pytest.approx(at.delay, rel=1e-6)
    shares = theory.alpha_fair_rates([[0]] * 3, [rate], weights=[alpha] * 3)
    assert shares == pytest.approx(at.rates, rel=1e-6)


def test_latecomers_are_as_measured() -> None:
    """docs/algorithms/fast.md: four flows 20 s apart, 100 Mbit/s, 60 ms: 14, 16, 23, 44 Mbit/s.

    These are rates of payload, with 137 packets queued.

    1 Mbit/s: a base RTT is the smallest that was seen, which may be short of the mean queue before
    by a few packets' time.
    """
    at = theory.fast_latecomers(100e6 / 8 / 1500, 0.06, 4)
    assert at.queue == pytest.approx(137, abs=1)
    assert [rate * 1448 * 8 / 1e6 for rate in at.rates] == pytest.approx([14, 16, 23, 44], abs=1)
    assert sum(at.rates) == pytest.approx(100e6 / 8 / 1500)
    # The second alone: alpha / Q + alpha / (Q - alpha) = 1, Q = alpha (3 + sqrt(5)) / 2.
    assert theory.fast_latecomers(1000, 0.1, 2, alpha=10).queue == pytest.approx(
        10 * (3 + math.sqrt(5)) / 2
    )


def test_vegas_keeps_between_alpha_and_beta_each() -> None:
    assert theory.vegas_queue(6, 1, 3) == (6, 18)
    assert theory.fast_equilibrium(1000, [0.1] * 6, alpha=3).queue == theory.vegas_queue(6, 1, 3)[1]


def test_power_is_largest_at_kleinrocks_knee_and_loss_begins_at_the_cliff() -> None:
    rate, rtt, buffer = 1000.0, 0.05, 40.0
    windows = np.arange(1, 200)
    points = [theory.operating_point(float(w), rate, rtt, buffer) for w in windows]
    assert (
        windows[np.argmax([point.power for point in points])]
        == theory.knee(rate, rtt).inflight
        == 50
    )
    assert (
        windows[[point.lost > 1e-12 for point in points]].min()
        == theory.cliff(rate, rtt, buffer).inflight + 1
    )
    assert theory.cliff(rate, rtt, buffer).rate == theory.knee(rate, rtt).rate == rate
    # Little: what is in flight is rate x delay, everywhere.
    assert [point.rate * point.rtt for point in points] == pytest.approx(
        [point.inflight for point in points]
    )
