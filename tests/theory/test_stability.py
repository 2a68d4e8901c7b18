"""Stability margins: textbook loops, published conditions, the fluid integrated in time."""

import math
from collections import deque

import numpy as np
import pytest

from ackclock import theory
from ackclock.theory.loop import Loop, loop_margins
from ackclock.theory.stability import delay_loop, red_loop, tail_drop_loop
from ackclock.theory.window_laws import window_law


def test_textbook_loops() -> None:
    # k e^-sT / s: margin pi / (2 k T); 1/(s (s+1) (s+2)): 6; 1/(s+1)^2 never reaches -1.
    assert loop_margins(Loop(0.5, (0.0,), 2.0)).gain_margin == pytest.approx(math.pi / 2)
    assert loop_margins(Loop(0.5, (0.0,), 2.0)).phase_margin == pytest.approx(
        90 - math.degrees(1.0)
    )
    assert loop_margins(Loop(1.0, (0.0, 1.0, 2.0), 0.0)).gain_margin == pytest.approx(6)
    assert not loop_margins(Loop(6.1, (0.0, 1.0, 2.0), 0.0)).stable
    assert loop_margins(Loop(100.0, (1.0, 1.0), 0.0)).gain_margin == math.inf
    # 1/(s+1)^3 oscillates at a gain of 8, where its phase is -180.
    assert loop_margins(Loop(1.0, (1.0,) * 3, 0.0)).gain_margin == pytest.approx(8)
    # k (s+1)/s^2: stable for every k, with a phase margin of atan(w).
    lead = loop_margins(Loop(3.0, (0.0, 0.0), 0.0, (1.0,)))
    assert lead.stable
    assert lead.phase_margin == pytest.approx(math.degrees(math.atan(lead.crossover)))


def test_red_designed_as_published_crosses_where_it_was_designed_to() -> None:
    """Hollot et al. 2001: N >= 60, C = 3750 packets/s, R <= 246 ms, K = 0.005, L = 1.86e-4.

    Proposition 1: L (R C)^3 / (2 N)^2 <= sqrt(w^2 / K^2 + 1) with w = 0.1 min(2 N / (R^2 C), 1 /
    R). The gain at w is then at most 1. The phase there is within 0.1 rad twice, and the delay's,
    of -90 degrees.
    """
    n, c, rtt, k, slope = 60, 3750.0, 0.246, 0.005, 1.86e-4
    w = 0.1 * min(2 * n / (rtt**2 * c), 1 / rtt)
    assert slope * (rtt * c) ** 3 / (2 * n) ** 2 <= math.sqrt((w / k) ** 2 + 1)
    margins = loop_margins(red_loop("reno", rtt, c, n, slope, k))
    assert margins.stable
    assert 0.9 * w < margins.crossover <= w
    assert 84 < margins.phase_margin < 90
    # More flows and a shorter round trip are on the safe side of the design, fewer and longer are
    # not as far from it.
    assert loop_margins(red_loop("reno", rtt, c, 2 * n, slope, k)).gain_margin > margins.gain_margin
    assert (
        loop_margins(red_loop("reno", rtt, c, n // 2, slope, k)).gain_margin < margins.gain_margin
    )


def test_reno_and_red_lose_stability_with_rtt_and_rate_and_gain_it_with_flows() -> None:
    """Low et al., Dynamics of TCP/RED and a scalable control, INFOCOM 2002."""

    def margin(rtt: float, rate: float, flows: int) -> theory.StabilityMargin:
        return theory.stability_margin(
            "reno", rtt, rate, flows, min_threshold=100, max_threshold=500
        )

    by_rtt = [margin(rtt, 1e4, 50).phase_margin for rtt in (0.02, 0.05, 0.1, 0.2)]
    by_rate = [margin(0.05, rate, 50).phase_margin for rate in (3e3, 1e4, 3e4, 1e5)]
    by_flows = [margin(0.1, 1e4, flows).gain_margin for flows in (20, 50, 100, 150)]
    assert by_rtt == sorted(by_rtt, reverse=True)
    assert by_rate == sorted(by_rate, reverse=True)
    assert by_flows == sorted(by_flows)
    assert by_rtt[0] > 0 > by_rtt[-1]


def oscillation(cc: str, loop_factor: float) -> tuple[float, float]:
    """A disturbance's growth in ten of the fluid's swings, and a swing's length, s.

    W' = W(t - R)/R (i (1 - p(t - R)) - d p(t - R)), q' = N W / R - C, a' = K (q - a), by Euler in
    steps of R/400. R is the RTT at rest, and p is linear in the average. The slope puts the loop at
    `loop_factor` times its margin of gain.
    """
    n, c, rtt, k = 60, 3750.0, 0.246, 2.0
    law, rest = window_law(cc), c * rtt / n
    loss = law.loss_rate(rest)
    unit = loop_margins(red_loop(cc, rtt, c, n, 1e-4, k)).gain_margin * 1e-4
    slope = unit * loop_factor
    period = 2 * math.pi / loop_margins(red_loop(cc, rtt, c, n, unit, k)).crossover
    steps = 400
    dt = rtt / steps
    window, queue, average = rest * 1.001, 0.0, 0.0
    past = deque([(rest, loss)] * steps)
    course = []
    for _ in range(int(12 * period / dt)):
        then, p = past.popleft()
        past.append((window, loss + slope * average))
        grown = then / rtt * (law.growth(window) * (1 - p) - law.cut(window) * p)
        # What the ACK clock sees: a longer queue slows it, -q/R in linear terms.
        queue_change = n * window / rtt - c - queue / rtt
        average_change = k * (queue - average)
        window, queue, average = (
            window + dt * grown,
            queue + dt * queue_change,
            average + dt * average_change,
        )
        course.append(queue)
    late = np.array(course)
    swing = int(period / dt)
    return float(np.ptp(late[-swing:]) / np.ptp(late[swing : 2 * swing])), period


@pytest.mark.parametrize("cc", ["reno", "scalable", "binomial", "aimd(a=2, b=0.25)"])
def test_the_fluid_itself_oscillates_beyond_the_gain_margin_and_not_below(cc: str) -> None:
    below, at, beyond = (oscillation(cc, factor)[0] for factor in (0.8, 1.0, 1.25))
    assert below < 0.5
    assert beyond > 2
    assert 0.8 < at < 1.25


# Prabhakar & Raina 2025, Raina, Towsley & Wischik 2005: at a small buffer i(W) B < pi/2 is enough
# for any RTT, and nearly needed.
@pytest.mark.parametrize(
    ("cc", "window", "buffer"),
    [("scalable", 2000, 157), ("reno", 1000, 1570), ("compound", 1000, 70)],
)
def test_small_buffers_condition(cc: str, window: float, buffer: float) -> None:
    assert window_law(cc).growth(window) * buffer == pytest.approx(math.pi / 2, rel=0.01)
    for rtt in (0.01, 0.2):
        assert loop_margins(tail_drop_loop(cc, rtt, window, buffer * 0.99)).stable
        assert not loop_margins(tail_drop_loop(cc, rtt, window, buffer * 1.05)).stable


def test_scalable_at_a_small_buffer_does_not_ask_for_rate_or_rtt() -> None:
    margins = theory.stability_region(
        "scalable", [0.02, 0.1, 0.5], [1e4, 1e6], 10, queue="tail-drop", buffer=100
    )
    assert np.ptp(margins) < 0.1
    reno = theory.stability_region(
        "reno", [0.02, 0.1, 0.5], [1e4, 1e6], 10, queue="tail-drop", buffer=100
    )
    assert reno[0, 0] < 0 < reno[2, 1]


def test_fast_is_stable_for_any_delay_and_its_older_model_says_that_it_is_not() -> None:
    """Jacobsson et al.

    2009, Wang et al. 2007: with the ACK clock, stable for gains up to 1; without, not with a short
    queue.
    """
    for rtt in (0.01, 0.1, 1.0):
        for gain in (0.25, 0.5, 1.0):
            spec = f"fast(gain={gain}, period=1)"
            assert theory.stability_margin(spec, rtt, 1e5, 4).stable
            short, _ = delay_loop(spec, rtt, 1e6, 1, self_clocked=False)
            assert not loop_margins(short).stable
    assert not loop_margins(Loop(1.2, (1e-6, 1.0), 1.0)).stable


def test_stabilised_vegas_has_the_margin_that_its_page_states() -> None:
    """docs/algorithms/stabilised-vegas.md: 16 degrees where the queue integrates the rates."""
    loop, queue = delay_loop("stabilised-vegas", 0.1, 1e6, 1, self_clocked=False)
    assert queue == 3
    assert loop_margins(loop).phase_margin == pytest.approx(16, abs=0.5)
    assert theory.stability_margin("stabilised-vegas", 0.1, 1e6).phase_margin > 80


def test_at_rest_windows_fill_the_link_and_answer_its_loss() -> None:
    at = theory.stability_margin(
        "reno", 0.1, 5000, 40, min_threshold=50, max_threshold=300, wait=False
    )
    assert 40 * at.window == pytest.approx(500 + at.queue, rel=1e-6)
    # The window of small p, where a loss takes half and 1/p ACKs bring one each: 2 / p = W^2.
    assert at.window**2 * at.loss_rate == pytest.approx(2, rel=2.1 / at.window**2)
    assert at.loss_rate == pytest.approx(2 * 0.1 * (at.queue - 50) / 250, rel=1e-6)


def test_red_without_parameters_has_those_of_a_scenario() -> None:
    """5 ms at 4000 packets/s: 10 and 30 packets, of which the mean queue is between."""
    assert 10 < theory.stability_margin("reno", 0.05, 4000, 20).queue < 30


@pytest.mark.parametrize(
    ("cc", "because"),
    [
        ("cubic", "Vardoyan"),
        ("hystart+cubic", "Vardoyan"),
        ("vegas", "no slope"),
        ("bbr", "bbr_flow_map"),
        ("htcp", "more than its window"),
    ],
)
def test_controls_without_a_model_are_refused_with_the_reason(cc: str, because: str) -> None:
    with pytest.raises(ValueError, match=because):
        theory.stability_margin(cc, 0.1, 1e4, 10)


def test_what_is_outside_is_refused() -> None:
    with pytest.raises(ValueError, match="timeouts"):
        theory.stability_margin("reno", 0.01, 1000, 100)
    with pytest.raises(ValueError, match="red or tail-drop"):
        theory.stability_margin("reno", 0.1, 1000, 5, queue="codel")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="second above the first"):
        theory.stability_margin("reno", 0.1, 1000, 5, min_threshold=10, max_threshold=5)
    with pytest.raises(ValueError, match="did you mean"):
        theory.stability_margin("scalabel", 0.1, 1000, 5)
    assert np.isnan(theory.stability_region("reno", [0.01], [1000], 100)).all()
