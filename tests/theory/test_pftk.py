"""PFTK: Reno under random loss with timeouts; 1 Gbit/s, 100 ms, no SACK as in the papers."""

import pytest

from ackclock.theory import RANDOM, pftk_rate, square_root_window
from single_flow import row, run_alone


# 15 %: PFTK's own fit to measurements is of this order. It lets a loss take the rest of its round
# trip with it, which independent losses do not, and so is low at 6 %. t_RTO is the profile's
# minimum, 200 ms, twice the RTT.
@pytest.mark.parametrize("p", [0.01, 0.03, 0.06])
def test_rate_under_random_loss(p: float) -> None:
    result = run_alone(
        "reno",
        ssthresh="10 packets",
        rate="1Gbit/s",
        rtt="100ms",
        duration="1500s",
        warmup="20s",
        profile="classic",
        loss={"kind": "bernoulli", "p": p},
        record={"samples": "off"},
    )
    counters = row(result)
    sent = counters["sent_packets"] / counters["active_time"]
    assert sent == pytest.approx(pftk_rate(p, 0.1, 0.2), rel=0.15)
    # The square-root law knows no timeouts.
    assert counters["timeouts"] > 0
    assert sent < square_root_window(p, RANDOM) / 0.1
