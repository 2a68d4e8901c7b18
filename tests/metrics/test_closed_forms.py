"""Metrics of real runs, against closed forms and known values."""

import math
from typing import Any

import pytest

import ackclock as ac
from ackclock import theory
from ackclock.metrics import MetricError

FAST: dict[str, Any] = {"rate": "1Gbit/s", "rtt": "100ms", "buffer": "1bdp"}


def value(result: ac.Result, metric: str) -> float:
    figure = result.metric(metric)
    assert figure is not None, metric
    return figure


@pytest.mark.parametrize(("a", "since", "error"), [(0.02, 2, 0.002), (0.04, 2, 0.05)])
def test_scalable_doubles_its_window_in_t2(a: float, since: float, error: float) -> None:
    flow = ac.flow(f"scalable(a={a})", ssthresh="100 packets")
    result = ac.run(ac.dumbbell(profile="rfc", flows=[flow], duration="7s", **FAST))
    # a per ACK compounds within the round trip too: 0.02 and 4 % more than (1 + a) per round trip.
    assert value(result, f"doubling_time(since={since}s)") == pytest.approx(
        theory.scalable_doubling_time(0.1, a), rel=error
    )
    assert result.metric("halving_time") is None, "nothing is lost"
    assert result.metric("recovery_time") is None


@pytest.mark.parametrize(("b", "reductions"), [(0.125, 6), (0.25, 3), (0.5, 1)])
def test_scalable_halves_its_window_in_as_many_reductions_as_t_half_says(
    b: float, reductions: int
) -> None:
    flow = ac.flow(f"scalable(a=0.02,b={b})", ssthresh="2000 packets")
    loss = {"kind": "periodic", "every": 1500, "offset": 40_000}
    result = ac.run(ac.dumbbell(profile="rfc", flows=[flow], duration="4s", loss=loss, **FAST))
    assert reductions == math.ceil(theory.scalable_halving_time(1.0, b))
    samples = result.samples.flows
    first = samples.filter(samples["state"].cast(str) == "recovery")["time"][0]
    taken = value(result, f"halving_time(since={first - 0.001}s)")
    # A reduction is spread over a round trip; the next loss is noticed one to two round trips after
    # the last.
    assert 0.1 * reductions <= taken <= 0.2 * reductions
    assert value(result, "smoothness") == pytest.approx(b, abs=0.05)


def test_reno_has_its_window_back_after_the_sawtooths_period() -> None:
    link: dict[str, Any] = {"rate": "10Mbit/s", "rtt": "60ms", "buffer": "50 packets"}
    result = ac.run(
        ac.dumbbell(profile="rfc", flows=[ac.flow("reno")], duration="60s", warmup="20s", **link)
    )
    tooth = theory.reno_sawtooth(50, 50, 1.2e-3, losses=2)
    # To a sample, 1 ms, and the window's steps of a segment: one in fifty.
    assert value(result, "recovery_time") == pytest.approx(tooth.period, rel=0.02)
    assert value(result, "loss_synchronisation") == 1.0, "one flow is all flows"
    assert value(result, "congestion_epochs") == pytest.approx(40 / tooth.period, abs=1)
    assert value(result, "queue_packets.max") == 50
    assert 0.0 < value(result, "queue_full_share") < 0.1
    assert value(result, "queue_packets.p50") == pytest.approx(
        value(result, "queue_packets.mean"), rel=0.1
    ), "a triangle's"


def test_a_sawtooths_rate_varies_as_one_over_root_twelve_over_three_quarters() -> None:
    link: dict[str, Any] = {"rate": "100Mbit/s", "rtt": "60ms", "buffer": "20 packets"}
    result = ac.run(
        ac.dumbbell(
            profile="rfc",
            flows=[ac.flow("reno")],
            duration="120s",
            warmup="40s",
            record={"samples": "5ms"},
            **link,
        )
    )
    # Uniform between W/2 and W: (1/2)/sqrt(12) over 3/4. The buffer is a twentieth of the product:
    # 5 %.
    uniform = 0.5 / math.sqrt(12) / 0.75
    assert value(result, "rate_variation") == pytest.approx(uniform, rel=0.05)
    assert value(result, "rate_variation(timescale=60ms)") == pytest.approx(uniform, rel=0.05)
    assert value(result, "rate_variation(timescale=20s)") < 0.3 * uniform, (
        "a period is 20 s and a bit"
    )


def test_power_is_largest_at_the_knee() -> None:
    powers = {}
    for window in (25, 40, 51, 60, 100):
        # 50 packets are on the way and one in transmission.
        flow = ac.flow("reno", transport={"max_cwnd": f"{window} packets"})
        result = ac.run(
            ac.dumbbell(
                profile="rfc",
                rate="10Mbit/s",
                rtt="60ms",
                buffer="200 packets",
                flows=[flow],
                duration="15s",
                warmup="5s",
            )
        )
        powers[window] = value(result, "power")
        waiting = max(window - 51, 0)
        # Delayed ACKs release two packets at once.
        assert value(result, "queue_packets.p50") == pytest.approx(waiting, abs=1.5)
        assert (value(result, "queue_empty_share") > 0.4) == (waiting == 0)
        # The last packet of an odd window waits for the receiver's timer.
        assert value(result, "window.mean") == pytest.approx(window, rel=0.05)
    assert max(powers, key=powers.__getitem__) == 51
    # Below the knee both rate and RTT are the window's: power ~ w; above, rate is full and RTT ~ w:
    # 1/w.
    assert powers[25] / powers[40] == pytest.approx(25 / 40, rel=0.02)
    assert powers[100] / powers[60] == pytest.approx(60 / 100, rel=0.02)


def test_slow_starts_that_overflow_a_queue_together_lose_together() -> None:
    flows = [ac.flow("reno", count=4)]
    result = ac.run(
        ac.dumbbell(
            profile="rfc", rate="20Mbit/s", rtt="60ms", buffer="1bdp", flows=flows, duration="2s"
        )
    )
    assert value(result, "loss_synchronisation(gap=1s)") == 1.0
    assert value(result, "congestion_epochs(gap=1s)") == 1.0


def test_epochs_closer_than_samples_are_refused() -> None:
    flows = [ac.flow("reno", count=4)]
    record = {"samples": "100ms"}
    scenario = ac.dumbbell(
        profile="rfc",
        rate="20Mbit/s",
        rtt="40ms",
        buffer="1bdp",
        flows=flows,
        duration="2s",
        record=record,
    )
    result = ac.run(scenario)
    said = r'gap = 0.08 s is too short: samples are 0.1 s apart, .* or record.samples = "20ms"'
    for name in ("loss_synchronisation(gap=80ms)", "congestion_epochs(gap=80ms)"):
        with pytest.raises(MetricError, match=said):
            value(result, name)
    # Two round-trip times, where none is given: 80 ms and what the queue adds.
    short = ac.run(scenario.replace({"network.bottleneck.limit": "5 packets"}))
    assert short.metric("loss_synchronisation") is None
    assert short.metric("congestion_epochs") is None


def test_losses_by_chance_hit_one_of_four_flows() -> None:
    link: dict[str, Any] = {
        "rate": "1Gbit/s",
        "rtt": "40ms",
        "buffer": "1bdp",
        "loss": {"kind": "bernoulli", "p": 1e-4},
    }
    result = ac.run(
        ac.dumbbell(
            profile="rfc", flows=[ac.flow("reno", count=4)], duration="60s", warmup="5s", **link
        )
    )
    # Each loses 0.33 a second (131 packets in each 40 ms): two of them within 80 ms in a tenth of
    # the epochs, which then count a half.
    assert value(result, "loss_synchronisation") == pytest.approx(0.27, abs=0.03)


def test_two_flows_converge_as_each_mark_halves_their_difference() -> None:
    def taken(start: int) -> float:
        ecn = {"ecn": "classic"}
        flows = [
            ac.flow("reno", transport=ecn),
            ac.flow("reno", start=f"{start}s", ssthresh="2 packets", transport=ecn),
        ]
        link: dict[str, Any] = {
            "rate": "10Mbit/s",
            "rtt": "60ms",
            "buffer": "100 packets",
            "duration": "45s",
        }
        result = ac.run(
            ac.dumbbell(
                profile="rfc",
                qdisc={"kind": "step", "threshold": "30 packets"},
                flows=flows,
                **link,
            )
        )
        return value(result, "convergence_time(timescale=1s, delta=0.1, hold=0s)")

    # Both are marked when their windows add up to 51 + 30, and grow by two per round trip, 78 ms,
    # together: a period of 81/4 round trips, 1.58 s. They begin with 71 to 31 and 10, at most 0.75
    # of the sum apart; 0.1 of it is left after three halvings, the first within a period.
    period = 81 / 4 * 0.078
    times = [taken(start) for start in (20, 21, 22, 23)]
    assert 2 * period <= sum(times) / 4 <= 4 * period, times


def test_flows_that_begin_alike_have_converged_and_reno_beside_multcp_never_does() -> None:
    link: dict[str, Any] = {"rate": "10Mbit/s", "rtt": "40ms", "buffer": "1bdp", "duration": "20s"}
    # The first window that is looked at.
    assert (
        value(
            ac.run(ac.dumbbell(profile="rfc", flows=[ac.flow("vegas", count=2)], **link)),
            "convergence_time(timescale=5s, delta=0.2)",
        )
        == 5.0
    )
    apart = [ac.flow("reno"), ac.flow("multcp(n=8)")]
    assert (
        ac.run(ac.dumbbell(profile="rfc", flows=apart, **link)).metric(
            "convergence_time(timescale=5s)"
        )
        is None
    )
    assert (
        ac.run(ac.dumbbell(profile="rfc", flows=[ac.flow("reno")], **link)).metric(
            "convergence_time"
        )
        is None
    )


def test_only_algorithms_with_gains_probe() -> None:
    link: dict[str, Any] = {"rate": "10Mbit/s", "rtt": "60ms", "buffer": "1bdp", "duration": "5s"}
    result = ac.run(
        ac.dumbbell(
            profile="rfc",
            flows=[ac.flow("bbr", name="gains"), ac.flow("reno", name="none")],
            **link,
        )
    )
    # Eight phases of about a round trip, 60 to 120 ms, in 4 s or so; tests/theory/test_bbr.py has
    # the published ratio.
    assert 4 <= value(result, "upward_probes") <= 9
    assert result.metric("upward_probes@none") is None
    # At gain 1.25 a probe lasts a smallest RTT, and until 1.25 products are out: a round trip and a
    # bit.
    assert 0.055 < value(result, "probe_time") < 0.13
    assert result.metric("probe_time@none") is None


def test_one_burst_takes_a_handshake_more_than_the_ideal() -> None:
    # Ten segments, the initial window, on an idle path: RTT + (RTT + size/rate) against RTT +
    # size/rate.
    flow = ac.flow("reno", app={"kind": "file", "size": "14480B"})
    result = ac.run(
        ac.dumbbell(
            profile="rfc", rate="10Mbit/s", rtt="60ms", buffer="1bdp", flows=[flow], duration="2s"
        )
    )
    ideal = 0.06 + 8 * 10 * 1500 / 10e6
    # The handshake's packets take their transmission times as well, 0.1 ms.
    assert value(result, "fct_slowdown.mean") == pytest.approx((ideal + 0.06) / ideal, rel=0.005)


def test_repeated_files_are_scored() -> None:
    flow = ac.flow("reno", name="rep", app={"kind": "repeated", "size": "200kB", "think": "100ms"})
    result = ac.run(
        ac.dumbbell(
            profile="rfc", rate="10Mbit/s", rtt="50ms", buffer="1bdp", flows=[flow], duration="10s"
        )
    )
    mean, done = value(result, "file_time.mean@rep"), value(result, "finished_transfers")
    assert done == pytest.approx(10 / (mean + 0.1), abs=1), (
        "one after another, with a pause of 100 ms"
    )
    assert value(result, "finished_transfers(within=5s)") == pytest.approx(done / 2, abs=1)
    overhead = 1500 / 1448
    assert value(result, "fct_slowdown.mean") == pytest.approx(
        mean / (8 * 200_000 * overhead / 10e6 + 0.05), rel=0.01
    )


def test_a_page_takes_two_round_trips_per_object_on_connections_of_their_own() -> None:
    page = {
        "kind": "web",
        "main": "14480B",
        "objects": 1,
        "embedded": "1448B",
        "parsing": "0s",
        "reading": "1s",
    }
    result = ac.run(
        ac.dumbbell(
            profile="rfc",
            rate="10Mbit/s",
            rtt="60ms",
            buffer="1bdp",
            flows=[ac.flow("reno", app=page)],
            duration="10s",
        )
    )
    # A handshake and the object, which the initial window holds, twice; eleven packets of 1.2 ms,
    # and those of the handshakes.
    assert value(result, "page_load_time.mean") == pytest.approx(4 * 0.06 + 11 * 1.2e-3, abs=0.5e-3)
    assert value(result, "finished_transfers(kind=page)") == math.ceil((10 - 0.2532) / 1.2532)
    assert value(result, "finished_transfers(kind=object)") == 2 * value(
        result, "finished_transfers(kind=page)"
    )


@pytest.mark.parametrize("rate", [500, 750])
def test_a_video_that_the_link_cannot_carry_stalls_for_the_rest(rate: int) -> None:
    video = {"kind": "adaptive-video", "ladder": ["1Mbit/s"], "segment": "2s", "startup": "2s"}
    link: dict[str, Any] = {
        "rate": f"{rate}kbit/s",
        "rtt": "60ms",
        "buffer": "20 packets",
        "duration": "100s",
    }
    result = ac.run(ac.dumbbell(profile="rfc", flows=[ac.flow("reno", app=video)], **link))
    fetching = 2e6 * 1500 / 1448 / (1e3 * rate) + 0.06
    # Each segment plays for 2 s. Starting to play, after a segment in slow start or two, is no
    # stall: up to 7 % of the time.
    assert value(result, "stall_share") == pytest.approx(
        1 - 2 / fetching, abs=0.07 * (1 - 2 / fetching) + 0.01
    )
    assert value(result, "stalls") == pytest.approx(100 / fetching, abs=3)
    assert value(result, "segment_rate.mean") == 1e6
    assert value(result, "segment_switches") == 0.0


def test_a_link_that_a_stream_overloads_loses_the_rest() -> None:
    probe = ac.flow(name="probe", app={"kind": "cbr", "rate": "12.5Mbit/s", "packet": "972 bytes"})
    result = ac.run(
        ac.dumbbell(
            profile="rfc",
            rate="10Mbit/s",
            rtt="20ms",
            buffer="20 packets",
            flows=[probe],
            duration="4s",
            warmup="1s",
        )
    )
    assert value(result, "drop_rate") == pytest.approx(0.2, abs=0.001)
    assert value(result, "link_throughput") == pytest.approx(10e6, rel=1e-3)
    assert value(result, "stream_loss_rate@probe") == pytest.approx(0.2, abs=0.01)
    # The queue of 20 packets is full: each waits 16 ms, less what the one in transmission has
    # behind it.
    assert value(result, "stream_delay.p50") == pytest.approx(0.01 + 0.0008 * 21, abs=0.001)
    assert value(result, "queue_full_share") > 0.5


def test_fairness_on_a_parking_lot() -> None:
    bottleneck = {"rate": "10Mbit/s", "delay": "10ms", "limit": "1bdp"}
    flows = [
        ac.flow("reno", name="long", start="50ms"),
        ac.flow("reno", name="a"),
        ac.flow("reno", name="b"),
    ]
    text = {"kind": "parking-lot", "bottlenecks": [bottleneck, bottleneck]}
    scenario = ac.dumbbell(
        profile="rfc",
        rate="10Mbit/s",
        rtt="20ms",
        buffer="1bdp",
        flows=flows,
        duration="40s",
        warmup="10s",
    ).replace({"network": text, "flows.a.to": "r2", "flows.b.from": "r2"})
    result = ac.run(scenario)
    rates = [value(result, f"throughput@{name}") for name in ("long", "a", "b")]
    # Max-min gives each 5 Mbit/s; TCP gives the long flow, with more loss and more delay, less.
    assert value(result, "max_min_fairness") == pytest.approx(rates[0] / 5e6, rel=1e-9)
    assert rates[0] < 4e6
    assert value(result, "min_max_ratio") == pytest.approx(rates[0] / max(rates), rel=1e-3)
