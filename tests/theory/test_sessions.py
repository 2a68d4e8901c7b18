"""Traffic of applications: arrivals, loads and sizes against requests and closed forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

import ackclock as ac
import own_reno
from ackclock.cc import spec_of
from ackclock.scenario.app.web import Web, _objects_3gpp
from ackclock.scenario.distributions import mean_of, size_distribution
from single_flow import MSS, PACKET

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ackclock.results import Result

RATE = 20e6


def run(*flows: ac.Flow, **scenario: Any) -> Result:
    given = {
        "profile": "rfc",
        "rate": "20Mbit/s",
        "rtt": "10ms",
        "buffer": "1000 packets",
        "duration": "30s",
        "record": {"samples": "off"},
    } | scenario
    return ac.run(ac.dumbbell(flows=list(flows), **given))


def times(result: Result, kind: str) -> NDArray[np.float64]:
    """Time that each finished transfer of a kind took, s."""
    rows = result.transfers.filter(pl.col("kind") == kind).drop_nulls("finish_time")
    return (rows["finish_time"] - rows["start_time"]).to_numpy()


def short(**app: Any) -> ac.Flow:
    return ac.flow("cubic", name="short", app={"kind": "short-flows"} | app)


def test_arrivals_are_a_poisson_process() -> None:
    """Counts in 300 intervals of 100 ms, ten on average, within five standard errors.

    The mean's is sqrt(10 / 300), and that of variance over mean is sqrt(2 / 299).
    """
    result = run(short(interval="exponential(10ms)", size="100 bytes"))
    counts, _ = np.histogram(result.transfers["start_time"], bins=300, range=(0.0, 30.0))
    assert abs(counts.mean() - 10) < 5 * np.sqrt(10 / 300)
    assert abs(counts.var(ddof=1) / counts.mean() - 1) < 5 * np.sqrt(2 / 299)


def test_the_load_is_the_one_asked_for() -> None:
    """Files of ten segments, 1500 in 30 s at 30 % of 20 Mbit/s, within five standard errors.

    One is 2.6 %. The link's utilisation is what arrived, and the SYN and the handshake's ACK of
    each: 1 %.
    """
    result = run(short(load=0.3, size=f"{10 * MSS} bytes"))
    bits = result.transfers.height * 10 * PACKET * 8
    assert bits / 30 / RATE == pytest.approx(0.3, rel=5 / np.sqrt(1500))
    assert result.links["utilisation"][0] == pytest.approx(bits / 30 / RATE, rel=0.015)
    assert result.warnings == []


def test_another_algorithm_sees_the_same_arrivals_and_sizes() -> None:
    app = {"kind": "short-flows", "load": 0.4, "size": "pareto(3kB, 1.3) between 3kB and 5MB"}
    cubic, bbr, again = (
        run(ac.flow(cc, name="f", app=app)).transfers for cc in ("cubic", "bbr", "cubic")
    )
    assert cubic.height > 500
    assert cubic.select("start_time", "size").equals(bbr.select("start_time", "size"))
    assert cubic.equals(again)


def test_one_more_flow_changes_nothing_for_the_first() -> None:
    app = {"kind": "short-flows", "load": 0.1, "size": "lognormal(20kB, 1)"}
    alone = run(ac.flow("reno", name="f", app=app)).transfers
    two = run(ac.flow("reno", name="f", count=2, app=app)).transfers.filter(pl.col("flow") == "f.1")
    assert alone.select("start_time", "size").equals(two.select("start_time", "size"))


def test_slowdown_is_that_of_processor_sharing() -> None:
    """M/G/1-PS: a slowdown of 1 / (1 - load) for any distribution of sizes.

    Files of 300 segments take the line for 18 round trips, so that slow start is not all of it.
    Over 400 arrivals the mean is within 30 %: 10 % are noise, and the rest is TCP's slow sharing.
    """
    size = 300 * MSS
    alone = times(
        run(ac.flow("cubic", app={"kind": "repeated", "size": f"{size} bytes", "files": 1})), "file"
    )[0]
    loaded = times(run(short(load=0.5, size=f"{size} bytes"), duration="150s"), "file")
    assert len(loaded) > 350
    assert loaded.min() > 0.99 * alone
    assert loaded.mean() / alone == pytest.approx(1 / (1 - 0.5), rel=0.3)


def test_the_web_models_means_are_those_of_its_source() -> None:
    web = Web(kind="web")
    # Printed are means of 10 710 and 7758 bytes beside mu and sigma, from which 11 054 and 8197
    # follow.
    assert mean_of(size_distribution(web.main)) == pytest.approx(10_710, rel=0.035)
    assert mean_of(size_distribution(web.embedded)) == pytest.approx(7758, rel=0.06)
    assert mean_of(_objects_3gpp()) == pytest.approx(5.64, rel=0.02)


def test_pages_are_their_objects() -> None:
    """About 350 pages have 1 + 5.6 objects (deviation 9), within five standard errors."""
    result = run(
        ac.flow(
            "cubic", name="web", stop="28s", app={"kind": "web", "load": 0.3, "connections": 400}
        )
    )
    pages, objects = (
        result.transfers.filter(pl.col("kind") == kind) for kind in ("page", "object")
    )
    assert pages["finish_time"].null_count() <= 1
    assert objects["size"].sum() == pages["size"].sum()
    assert abs(objects.height / pages.height - 6.64) < 5 * 9 / np.sqrt(pages.height)
    assert result.flows["goodput_bytes"][0] == pages["size"].sum()
    assert (pages["finish_time"] - pages["start_time"]).min() >= 0.02


def test_persistent_connections_load_pages_faster() -> None:
    app = {
        "kind": "web",
        "reading": "200ms",
        "objects": 8,
        "embedded": "10kB",
        "parallel": 2,
        "pages": 10,
    }
    fresh, reused = (
        times(run(ac.flow("cubic", app=app | {"persistent": persistent})), "page")
        for persistent in (False, True)
    )
    # Of five round trips of objects each saves its handshake.
    assert reused.mean() < fresh.mean() - 0.03


def test_who_finds_no_connection_free_waits_and_the_run_warns() -> None:
    result = run(short(load=0.6, size="200kB", connections=2))
    (warning,) = (text for text in result.warnings if "no connection free" in text)
    assert warning.startswith("Flow short found no connection free")


def test_more_than_the_link_carries_is_warned_of() -> None:
    result = run(short(load=1.2, size="50kB", connections=1000), duration="5s")
    assert any("offers 120 % of the rate of bottleneck" in text for text in result.warnings)


def test_a_run_that_cuts_many_off_says_so() -> None:
    result = run(short(interval="100ms", size="5MB"), duration="2s")
    assert any(
        text.startswith("20 of the 20 files of short had not finished") for text in result.warnings
    )


def test_an_algorithm_in_python_begins_anew_with_each_connection() -> None:
    """Reno as a class and built in: equal files at equal times over reopened connections."""
    app = {"kind": "repeated", "size": "300kB", "think": "50ms"}
    own, built_in = (
        run(ac.flow(cc, name="f", app=app), buffer="20 packets", duration="5s", warmup="1s")
        for cc in (f"classic+{spec_of(own_reno.Reno)}", "classic+reno")
    )
    assert own.transfers.height > 10
    assert own.transfers.equals(built_in.transfers)
    # Bytes are counted after the warm-up only, and are no more than the files have in all.
    assert 0 < own.flows["goodput_bytes"][0] < own.transfers["size"].sum()
    assert own.flows["active_time"][0] == 4.0


@pytest.mark.parametrize("abr", ["bola", "buffer-based", "throughput"])
def test_a_player_comes_near_the_lines_rate_without_stalls(abr: str) -> None:
    """5 Mbit/s carry 4.83 of payload: the rung below is 4.3 Mbit/s, and near is above 3."""
    app = {"kind": "adaptive-video", "abr": abr}
    result = run(
        ac.flow("cubic", app=app), rate="5Mbit/s", rtt="30ms", buffer="30 packets", duration="240s"
    )
    segments = result.transfers.filter((pl.col("kind") == "segment") & (pl.col("start_time") > 60))
    assert 3.0e6 < segments["rate"].mean() < 4.83e6
    assert (result.transfers["kind"] != "stall").all()


def test_a_player_below_its_lowest_rung_stalls_for_the_missing_share() -> None:
    """At 1 Mbit/s a second of a 2 Mbit/s video takes two: half of the time is stalls."""
    app = {"kind": "adaptive-video", "ladder": ["2Mbit/s"], "segment": "2s", "startup": "2s"}
    result = run(
        ac.flow("cubic", app=app), rate="1Mbit/s", rtt="30ms", buffer="30 packets", duration="120s"
    )
    stalls = result.transfers.filter(pl.col("kind") == "stall").with_columns(
        pl.col("finish_time").fill_null(120.0)
    )
    share = (stalls["finish_time"] - stalls["start_time"]).sum() / 120
    # 3.5 % of the line are headers, and the requests' round trips come on top.
    assert share == pytest.approx(0.5, abs=0.04)


def test_bursts_take_their_share_of_the_time() -> None:
    """800 kbit/s for 1 s in 4: the goodput over 80 s is 200 kbit/s.

    A greedy burst takes its second at most, and the time in which its queue drains: of up to 1000
    packets, 0.6 s, to which the window grows from burst to burst, as in the kernel (below).
    """
    result = run(
        ac.flow("cubic", app={"kind": "on-off", "on": "1s", "off": "3s", "rate": "800kbit/s"}),
        duration="80s",
    )
    assert result.flows["goodput"][0] == pytest.approx(200e3, rel=0.01)
    greedy = run(ac.flow("cubic", app={"kind": "on-off", "on": "1s", "off": "3s"}), duration="80s")
    assert 0.8 * 0.25 < greedy.links["utilisation"][0] < (1 + 1000 * PACKET * 8 / RATE) / 4


def test_a_greedy_burst_after_a_silence_starts_from_the_initial_window() -> None:
    """Linux's idle restart (RFC 5681 section 4.1): the application writes after over an RTO.

    In a run of the kernel the bursts sent 1562, 1668, 1694, 1717 and 1734 packets, and the largest
    windows were 150, 191, 220, 243 and 259.
    """
    app = {"kind": "on-off", "on": "1s", "off": "3s"}
    scenario = {
        "rtt": "40ms",
        "duration": "20s",
        "profile": "linux",
        "record": {"samples": "changes"},
    }
    seen = run(ac.flow("cubic", app=app), **scenario).samples.flows
    bursts = [
        seen.filter(pl.col("time").is_between(4 * burst, 4 * burst + 3)) for burst in range(5)
    ]
    assert all(burst["cwnd"].min() == 10 * MSS for burst in bursts)
    assert [burst["cwnd"].max() / MSS for burst in bursts] == pytest.approx(
        [150, 191, 220, 243, 259], rel=0.03
    )
    sent = [(burst["acked"].max() - burst["acked"].min()) / MSS for burst in bursts]
    assert sent == pytest.approx([1562, 1668, 1694, 1717, 1734], rel=0.03)


@pytest.mark.long
def test_heavy_tails_keep_their_variance_over_longer_times() -> None:
    """Means over 16 intervals have 16^(2 H - 2) of the variance: 0.33 for H = 0.8.

    Willinger et al. 1997. Of independent counts it is 1/16; sources with exponential times are in
    between on these scales, far below 0.33.
    """

    def ratio(times_of: str) -> float:
        app = {"kind": "on-off", "on": times_of, "off": times_of, "rate": "160kbit/s"}
        record = {"samples": "1600ms", "flows": [], "links": ["bottleneck"]}
        result = run(ac.flow("cubic", count=30, app=app), duration="1000s", record=record)
        counts = np.diff(result.samples.links["delivered_bytes"].to_numpy())[: 16 * 39].astype(
            float
        )
        return float(counts.reshape(-1, 16).mean(axis=1).var() / counts.var())

    # The mean length of both is 700 ms.
    assert ratio("pareto(200ms, 1.4)") > 2 * ratio("exponential(700ms)")


def test_a_steady_stream_has_its_rate_and_its_first_window() -> None:
    """2 Mbit/s in writes of 5 kB: two are out at most; slow start may double them.

    An ACK for two segments lets it do so.
    """
    app = {"kind": "application-limited", "rate": "2Mbit/s", "every": "20ms"}
    result = run(ac.flow("cubic", app=app))
    assert result.flows["goodput"][0] == pytest.approx(2e6, rel=0.01)
    assert 10 * MSS <= result.flows["cwnd_max"][0] <= 2 * 2 * 5000 + 2 * MSS
    assert result.warnings == []


def test_an_idle_applications_rate_is_not_taken_for_the_paths() -> None:
    """BBR alone, held to 1 of 20 Mbit/s: no sample lowers its estimate to what it sends."""
    app = {"kind": "application-limited", "rate": "1Mbit/s", "every": "100ms"}
    result = run(ac.flow("bbr", app=app), record={"samples": "changes"})
    internals = result.samples.internals.filter(pl.col("time") > 20)
    name = next(
        name
        for name in internals["name"].unique()
        if name in ("bw", "max_bw", "bandwidth", "bottleneck_bandwidth")
    )
    # A write of nine segments, back to back: the path shows its rate to it, less what the ACKs of
    # pairs smooth out.
    assert internals.filter(pl.col("name") == name)["value"].min() > 2e6


def test_requests_wait_behind_a_full_buffer() -> None:
    """200 ms of queue in front of the responses: 4 bdp of 10 ms at 20 Mbit/s are 40 ms."""
    app = {"kind": "request-response", "response": "1kB", "think": "exponential(50ms)"}
    call = ac.flow("cubic", name="call", app=app)
    alone = times(run(call), "response")
    beside = times(run(call, ac.flow("reno", name="bulk"), buffer="4bdp"), "response")
    assert np.median(alone) == pytest.approx(0.010, rel=0.1)
    assert 0.030 < np.median(beside) < 0.055
