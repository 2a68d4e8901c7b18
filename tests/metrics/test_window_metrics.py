"""Metrics of windows, shares and sends on short runs, against the runs' own counters."""

from typing import Any

import pytest

import ackclock as ac
from ackclock.metrics import MetricError, UnknownMetricError, find_metric
from ackclock.sweeps.responses import Response

LINK: dict[str, Any] = {"rate": "10Mbit/s", "rtt": "40ms", "buffer": "1bdp", "profile": "rfc"}
PAYLOAD = 10e6 * 1448 / 1500


def value(result: ac.Result, metric: str) -> float:
    figure = result.metric(metric)
    assert figure is not None, metric
    return figure


@pytest.fixture(scope="module")
def pair() -> ac.Result:
    """Two flows for 5 s, the second from 1 s on, without a warm-up."""
    flows = [ac.flow("reno", name="old"), ac.flow("cubic", name="new", start="1s")]
    return ac.run(ac.dumbbell(flows=flows, duration="5s", record={"samples": "1ms"}, **LINK))


@pytest.fixture(scope="module")
def dark() -> ac.Result:
    """A flow whose link is black from 1 s to 16 s."""
    return ac.run(ac.Scenario.parse({
        "duration": "30s",
        "network": {
            "kind": "dumbbell",
            "bottleneck": {
                "rate": "10Mbit/s",
                "delay": "20ms",
                "limit": "1bdp",
                "outages": {"windows": [["1s", "16s"]], "lossy": True},
            },
        },
        "flows": [{"name": "f", "cc": "reno"}],
        "record": {"samples": "5ms"},
    }))  # fmt: skip


def test_a_window_of_the_whole_run_has_the_runs_counters(pair: ac.Result) -> None:
    flows, links = pair.flows, pair.links
    assert value(pair, "goodput_between") == pytest.approx(
        8 * flows["goodput_bytes"].sum() / 5, rel=1e-9
    )
    assert value(pair, "lost_between") == flows["lost_packets"].sum() > 0
    assert value(pair, "sent_between") == flows["sent_packets"].sum()
    assert value(pair, "dropped_between") == links["dropped_packets"][0]
    assert value(pair, "queue_packets_between.max") == value(pair, "queue_packets.max")


def test_windows_add_up(pair: ac.Result) -> None:
    for metric in ("lost_between", "sent_between", "dropped_between"):
        parts = [
            value(pair, f"{metric}({part})")
            for part in ("until=1234500us", "since=1234500us, until=3s", "since=3s")
        ]
        assert sum(parts) == pytest.approx(value(pair, metric), rel=1e-9)
    assert value(pair, "goodput_between(until=1s)@new") == 0.0


def test_a_warm_up_does_not_cut_a_window(pair: ac.Result) -> None:
    flows = [ac.flow("reno", name="old"), ac.flow("cubic", name="new", start="1s")]
    warm = ac.run(
        ac.dumbbell(flows=flows, duration="5s", warmup="2505ms", record={"samples": "1ms"}, **LINK)
    )
    for metric in ("goodput", "lost", "sent", "dropped"):
        assert value(warm, f"{metric}_between(until=4s)") == pytest.approx(
            value(pair, f"{metric}_between(until=4s)"), rel=1e-9
        )


def test_a_parallel_transfer_is_the_sum_of_its_subflows() -> None:
    scenario = {
        "duration": "5s",
        "network": {
            "kind": "dumbbell",
            "bottleneck": {"rate": "10Mbit/s", "delay": "20ms", "limit": "1bdp"},
        },
        "flows": [{"name": "f", "cc": "reno", "parallel": 3}],
        "record": {"samples": "1ms"},
    }
    result = ac.run(ac.Scenario.parse(scenario))
    parts = result.flows.filter(result.flows["part_of"] == "f")["name"]
    assert len(parts) == 3
    for metric in ("goodput_between", "sent_between", "lost_between"):
        total = sum(value(result, f"{metric}(until=3s)@{part}") for part in parts)
        assert value(result, f"{metric}(until=3s)") == pytest.approx(total, rel=1e-6)
    assert value(result, "cwnd_over_used") == pytest.approx(1.0, abs=0.5)
    assert value(result, "jain_between") == 1.0, "one flow"


def test_losses_of_a_start_are_those_of_its_first_seconds(pair: ac.Result) -> None:
    assert value(pair, "start_lost_packets(within=2s)@new") == pytest.approx(
        value(pair, "lost_between(since=1s, until=3s)@new"), abs=1e-9
    )
    assert value(pair, "start_lost_packets") == value(pair, "lost_between")


def test_a_response_takes_a_group_of_flows(pair: ac.Result) -> None:
    old = Response("old", "goodput_between(since=2s)", flows="old")
    assert old.value(pair) == value(pair, "goodput_between(since=2s)@old")
    worst = Response("worst", "goodput_between(since=2s)", over="min")
    assert worst.value(pair) == min(
        value(pair, f"goodput_between(since=2s)@{name}") for name in ("old", "new")
    )


def test_delays_of_the_queue_in_a_window(pair: ac.Result) -> None:
    median, most = (value(pair, f"queue_delay_between.{p}(since=2s)") for p in ("p50", "max"))
    assert 0.0 < median <= value(pair, "queue_delay_between.p95(since=2s)") <= most
    # One bandwidth-delay product, 33 packets, of 1.2 ms each, and one in transmission.
    assert most <= 34 * 1.2e-3
    assert value(pair, "queue_delay_between.max(until=1ms)") < 1e-4, "the SYN alone"


def test_a_burst_is_what_the_queue_grows_by(pair: ac.Result) -> None:
    # The newcomer's initial window of 10 packets comes at once, after the handshake.
    start = value(pair, "burst_packets(since=0s, within=50ms)")
    assert start == pytest.approx(9, abs=1), "one is in transmission at once"
    assert value(pair, "burst_packets(since=2s, within=1ms)") <= 2


def test_jain_in_a_window_is_of_the_flows_that_are_there(pair: ac.Result) -> None:
    assert value(pair, "jain_between(until=900ms)") == 1.0, "one flow alone"
    rates = [value(pair, f"goodput_between(since=2s)@{name}") for name in ("old", "new")]
    assert value(pair, "jain_between(since=2s)") == pytest.approx(ac.metrics.jain_index(rates))


def test_a_newcomer_has_its_goodput_over_half_of_the_link(pair: ac.Result) -> None:
    goodput = value(pair, "goodput_between(since=2s, until=4s)@new")
    assert value(pair, "newcomer_share(within=2s)") == pytest.approx(
        min(goodput / (PAYLOAD / 2), 1.0), rel=1e-9
    )
    assert value(pair, "newcomer_share(within=2s)") <= 1.0


def test_a_rate_is_reached_in_slow_start(pair: ac.Result) -> None:
    reached = value(pair, "rate_reached_time(rate=8Mbit/s, timescale=100ms)@old")
    # 10 segments a round trip of 41 ms are 2.8 Mbit/s: two doublings, and the window behind.
    assert 0.1 <= reached <= 0.5
    late = value(pair, "rate_reached_time(rate=8Mbit/s, timescale=1s)@old")
    assert late > reached
    assert pair.metric("rate_reached_time(rate=20Mbit/s)@old") is None
    # 80 % of half of the payload rate.
    assert value(pair, "rate_reached_time@old") == value(
        pair, f"rate_reached_time(rate={0.8 * PAYLOAD / 2})@old"
    )


def test_a_flow_that_a_window_holds_back_starves() -> None:
    flows = [ac.flow("reno", name="big"),
             ac.flow("reno", name="small", transport={"max_cwnd": "1 packets"})]  # fmt: skip
    result = ac.run(ac.dumbbell(flows=flows, duration="8s", warmup="1s", **LINK))
    # A packet per round trip of 40 to 80 ms is 0.15 to 0.3 of 10 Mbit/s over 12 kbit: 0.3 Mbit/s.
    assert value(result, "starved_time(hold=2s)@small") == pytest.approx(7.0, abs=1e-6)
    assert value(result, "starved_time(hold=2s)@big") == 0.0
    assert value(result, "starved_time(hold=2s)") == pytest.approx(7.0, abs=1e-6)
    assert value(result, "starved_time(hold=2s, share=0.01)") == 0.0
    assert value(result, "starved_time") == 0.0, "no window of 10 s fits"


def test_streams_starve_never_and_have_no_rate_of_tcp() -> None:
    result = ac.run(ac.Scenario.parse({
        "duration": "5s",
        "network": {
            "kind": "dumbbell",
            "bottleneck": {"rate": "10Mbit/s", "delay": "20ms", "limit": "1bdp"},
        },
        "flows": [
            {"name": "f", "cc": "reno"},
            {"name": "call", "app": {"kind": "cbr", "rate": "100kbit/s"}},
        ],
    }))  # fmt: skip
    for metric in ("starved_time(hold=1s)", "goodput_between", "sent_between", "breaker_ratio"):
        assert result.metric(f"{metric}@call") is None
    assert value(result, "starved_time(hold=1s)") == 0.0
    assert result.metric("newcomer_share") is None


def test_a_sender_in_the_dark_doubles_its_timer(dark: ac.Result) -> None:
    assert value(dark, "backoff_gap_ratio(since=1s, until=16s)") == pytest.approx(2.0, abs=0.05)
    # 0.2 s, doubled six times, is 12.8 s.
    assert 3.0 < value(dark, "longest_send_gap") < 15.0
    assert value(dark, "longest_send_gap(since=2s, until=3s)") <= 1.0
    assert value(dark, "sent_between(since=3s, until=16s)") <= 5
    assert value(dark, "goodput_between(since=2s, until=16s)") == 0.0
    assert dark.metric("backoff_gap_ratio(until=1s)") is None, "there is no gap"


def test_a_flow_resumes_after_its_first_data_got_through(dark: ac.Result) -> None:
    after = value(dark, "rate_reached_time(since=16s, rate=8Mbit/s, timescale=200ms)")
    resumed = value(dark, "resume_time(since=2s, rate=8Mbit/s, timescale=200ms)")
    assert 0.2 <= resumed < after
    assert dark.metric("resume_time(since=29900ms, rate=20Mbit/s)") is None


def test_a_window_that_is_not_used_is_larger_than_the_data_in_flight(pair: ac.Result) -> None:
    assert value(pair, "cwnd_over_used(at=4s)") == pytest.approx(1.0, abs=0.5)
    flow = ac.flow("reno", app={"kind": "file", "size": "200kB"})
    short = ac.run(ac.dumbbell(flows=[flow], duration="5s", **LINK))
    assert short.metric("cwnd_over_used(at=4s)") is None, "nothing is in flight"


def test_the_breaker_compares_with_tcp_itself() -> None:
    loss = {"kind": "bernoulli", "p": 0.02}
    result = ac.run(
        ac.dumbbell(flows=[ac.flow("reno")], duration="40s", warmup="5s", loss=loss, **LINK)
    )
    ratio = value(result, "breaker_ratio")
    # Reno follows its own equation, in the worst of three reports of 5 s within a factor of three.
    assert 0.3 < ratio < 3.0
    assert value(result, "breaker_ratio(report=1s, reports=1)") > ratio
    many = ac.run(
        ac.dumbbell(flows=[ac.flow("multcp(n=8)")], duration="40s", warmup="5s", loss=loss, **LINK)
    )
    assert value(many, "breaker_ratio") > 2 * ratio
    assert value(result, "useful_share") == pytest.approx(0.98, abs=0.01)
    assert 0.0 <= value(result, "needless_retransmit_rate") < 0.01


def test_a_run_without_loss_uses_all_that_it_sends(pair: ac.Result) -> None:
    assert 0.9 < value(pair, "useful_share") < 1.0
    assert value(pair, "useful_share@old") == pytest.approx(
        pair.flows["goodput_bytes"][0] / pair.flows["sent_payload_bytes"][0], rel=1e-12
    )


def test_late_packets_are_sent_again_needlessly() -> None:
    result = ac.run(ac.Scenario.parse({
        "duration": "5s",
        "network": {
            "kind": "dumbbell",
            "bottleneck": {
                "rate": "10Mbit/s", "delay": "20ms", "limit": "4bdp",
                "reorder": {"p": 0.01, "extra": "15ms"},
            },
        },
        "flows": [{"cc": "reno"}],
    }))  # fmt: skip
    retransmitted = result.flows["retransmitted_packets"][0]
    lost, sent = result.flows["lost_packets"][0], result.flows["sent_packets"][0]
    assert value(result, "needless_retransmit_rate") == max(retransmitted - lost, 0) / sent > 0


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("lost_between(since=-1)", "since = -1 s is before the run's start: at least 0 s"),
        (
            "lost_between(since=3s, until=2s)",
            r"until = 2 s is too early: it must be later than since = 3 s",
        ),
        ("queue_delay_between.p95(since=2s, until=2s)", "until = 2 s is too early"),
        ("starved_time(hold=0s)", r"hold = 0 s is too short: in 5 s it must be more than 5e-05 s"),
        ("starved_time(share=0)", r"share = 0 is too small: more than 0, for instance 0\.1"),
        ("start_lost_packets(within=0s)", "within = 0 is too small"),
        ("newcomer_share(within=-1)", "within = -1 is too small"),
        ("rate_reached_time(rate=0)", "rate = 0 is too small"),
        ("resume_time(timescale=0s)", "timescale = 0 s is too short"),
        ("cwnd_over_used(within=0s)", "within = 0 is too small"),
        ("breaker_ratio(reports=0)", r"reports = 0 is no number of reports: 1, 2, 3"),
        ("breaker_ratio(report=0s)", "report = 0 s is too short"),
    ],
)
def test_a_wrong_window_is_named(pair: ac.Result, wrong: str, message: str) -> None:
    with pytest.raises(MetricError, match=message):
        pair.metric(wrong)


def test_a_window_after_the_run_has_nothing(pair: ac.Result) -> None:
    for metric in ("goodput_between", "jain_between", "queue_delay_between.max", "resume_time"):
        assert pair.metric(f"{metric}(since=6s)") is None


def test_samples_too_far_apart_tell_no_bursts() -> None:
    flow = ac.flow("reno")
    result = ac.run(ac.dumbbell(flows=[flow], duration="5s", record={"samples": "100ms"}, **LINK))
    with pytest.raises(
        MetricError,
        match=r"samples are 0\.1 s apart, and sends 0\.15 s apart cannot be told from each other: "
        r'set record\.samples to at most "75ms"',
    ):
        result.metric("longest_send_gap")


def test_without_samples_the_metric_says_what_to_record() -> None:
    flow = ac.flow("reno")
    result = ac.run(ac.dumbbell(flows=[flow], duration="1s", record={"samples": "off"}, **LINK))
    for metric in ("starved_time", "goodput_between", "queue_delay_between.p95", "breaker_ratio"):
        with pytest.raises(
            MetricError, match=rf'"{metric}" needs time series.*set record\.samples'
        ):
            result.metric(metric)
    assert result.metric("useful_share") is not None
    assert result.metric("needless_retransmit_rate") is not None


def test_a_parameter_that_does_not_exist_is_answered_with_those_that_do() -> None:
    with pytest.raises(UnknownMetricError, match=r"no parameter .from. \(it has since, until\)"):
        find_metric("goodput_between(from=1s)")
