"""Metrics of transfers and streams, on tables that can be computed by hand."""

from collections.abc import Callable

import polars as pl
import pytest

from ackclock.metrics.of_transfers import slowdowns
from ackclock.results import Result
from fake_core import RATE
from small_tables import streams, transfers

Make = Callable[..., Result]


@pytest.fixture
def result(fake_result: Make) -> Result:
    made = fake_result()
    made.transfers, made.streams = transfers(), streams()
    return made


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("finished_transfers", 3.0),
        ("finished_transfers@f.1", 2.0),
        ("finished_transfers(within=9s)", 2.0),
        ("finished_transfers(kind=page)", 1.0),
        ("finished_transfers(kind=object, within=2s)@f.1", 1.0),
        ("file_time.mean", (2.0 + 4.0 + 10.0) / 3),
        ("file_time.p50", 4.0),
        ("file_time.p50@f.2", 10.0),
        ("page_load_time.mean", 1.5),
        ("page_load_time.p99@f.2", None),
        ("response_time.p95", 0.25),
        ("stalls", 2.0),
        ("stalls@f.1", 0.0),
        # The run ends at 20 s.
        ("stall_time", 1.0 + 3.0),
        ("stall_share", 4.0 / 20.0),
        ("stall_share@f.1", None),
        ("segment_rate.mean", 2e6),
        ("segment_switches", 2.0),
        ("stream_delay.mean", 0.04),
        ("stream_delay.p99@call", 0.04),
        ("stream_jitter", 0.002),
        ("stream_loss_rate", (0.01 + 0.05) / 2),
        ("stream_late_rate@call", 0.02),
        ("stream_reorder_rate", 0.0),
        ("playout_delay", 0.05),
        ("lost_frame_rate", 0.08),
        ("late_frame_rate@film", 0.04),
        ("decodable_frame_rate", 0.8),
        ("decodable_frame_rate@call", None),
        ("r_factor", 90.0),
        ("mos@film", None),
    ],
)
def test_a_figure_is_what_the_table_says(result: Result, metric: str, value: float | None) -> None:
    figure = result.metric(metric)
    assert figure == (None if value is None else pytest.approx(value, rel=1e-12))


def test_slowdowns_are_over_the_slowest_link_and_the_base_rtt(result: Result) -> None:
    def ideal(size: int) -> float:
        return 8 * size * 1.04 / RATE + 0.108

    assert sorted(zip(*slowdowns(result), strict=True)) == [
        (1000.0, pytest.approx(0.25 / ideal(1000), rel=1e-12)),
        (10_000.0, pytest.approx(0.5 / ideal(10_000), rel=1e-12)),
        (20_000.0, pytest.approx(1.0 / ideal(20_000), rel=1e-12)),
        (100_000.0, pytest.approx(2.0 / ideal(100_000), rel=1e-12)),
        (100_000.0, pytest.approx(4.0 / ideal(100_000), rel=1e-12)),
        (1_000_000.0, pytest.approx(10.0 / ideal(1_000_000), rel=1e-12)),
    ]
    assert result.metric("fct_slowdown.mean(above=1MB)") == pytest.approx(
        10.0 / ideal(1_000_000), rel=1e-12
    )
    assert result.metric("fct_slowdown.p50(above=50kB, below=1MB)") == pytest.approx(
        3.0 / ideal(100_000), rel=1e-12
    )
    assert result.metric("fct_slowdown.p50(above=1GB)") is None


def test_what_began_in_the_warmup_does_not_count(result: Result) -> None:
    result.plan["warmup_ps"] = 10**12
    assert result.metric("finished_transfers") == 1.0
    assert result.metric("page_load_time.mean") == 1.5
    assert result.metric("segment_switches") == 2.0


def test_tables_without_rows_give_nothing_but_counts_of_zero(result: Result) -> None:
    result.transfers, result.streams = transfers().clear(), streams().clear()
    assert result.metric("finished_transfers") == 0.0
    assert result.metric("stall_time") == 0.0
    for metric in (
        "file_time.mean",
        "fct_slowdown.p99",
        "stall_share",
        "segment_rate.mean",
        "mos",
        "stream_loss_rate",
        "stream_delay.max",
    ):
        assert result.metric(metric) is None


def test_a_stream_that_sent_nothing_has_no_rates(result: Result) -> None:
    nothing = dict.fromkeys(
        (
            "sent_packets",
            "lost_packets",
            "frames_complete",
            "frames_late",
            "frames_lost",
            "frames_decodable",
        ),
        0,
    )
    result.streams = streams().with_columns(
        **{name: pl.lit(value) for name, value in nothing.items()}
    )
    assert result.metric("stream_loss_rate") is None
    assert result.metric("lost_frame_rate") is None


def test_samples_give_what_the_fake_run_was_made_with(result: Result) -> None:
    # The fake queue is as long as the mean window less 8 packets, at most 20.
    queue = result.samples.links["queue_packets"]
    assert result.metric("queue_packets.max") == queue.max()
    assert result.metric("queue_empty_share") == pytest.approx(
        (queue == 0).mean(), abs=0.001
    )  # the first sample is at 10 ms
    assert result.metric("queue_full_share") == pytest.approx((queue >= 20).mean(), abs=0.001)
