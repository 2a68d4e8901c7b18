"""Each role of a class: the calls it gets, and the effect of its decisions."""

import io
import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

import ackclock as ac
import own_reno
from ackclock.cc import Setup, spec_of
from own_runs import traces

Write = Callable[[str], str]

PATH: dict[str, Any] = {"rate": "10Mbit/s", "rtt": "60ms", "buffer": "1bdp"}


def run(
    cc: str, *, duration: str = "10s", ssthresh: str | None = None, **options: Any
) -> ac.Result:
    return ac.run(
        ac.dumbbell(**(PATH | options), duration=duration, flows=[ac.flow(cc, ssthresh=ssthresh)])
    )


def heard(name: str) -> list[Any]:
    """Everything that the module's class wrote down."""
    return list(sys.modules[name].HEARD)


def test_an_ack_is_told_in_seconds_bits_and_bytes(write: Write) -> None:
    name = write("""
        HEARD = []
        class Mine(CongestionControl):
            def on_ack(self, ack):
                HEARD.append(ack)
                TIMES.append(ack.now)
            def on_congestion(self, event):
                HEARD.append(event)
                TIMES.append(event.now)
                self.cwnd = max(self.cwnd / 2, self.mss)
        TIMES = []
        """)
    result = run(f"python:{name}:Mine", duration="3s", loss={"kind": "list", "packets": [100]})
    acks = [event for event in heard(name) if type(event).__name__ == "AckEvent"]
    first = acks[0]
    # The handshake takes a round trip, the first segment another and its own transmission: 60 ms,
    # 52 bytes twice, 1500 bytes.
    assert first.now == pytest.approx(0.12 + 1500 * 8 / 10e6, abs=2e-4)
    assert first.rtt_sample == pytest.approx(0.06 + 1500 * 8 / 10e6, abs=1e-4)
    assert (first.newly_acked, first.credited, first.delivered) == (1448, 1448, 1448)
    assert (first.newly_lost, first.newly_marked, first.prior_inflight, first.inflight) == (
        0,
        0,
        14480,
        13032,
    )
    assert (first.is_cwnd_limited, first.in_recovery, first.pacing_wait) == (True, False, 0.0)
    assert first.one_way_delay == pytest.approx(0.03, abs=2e-3), "a clock of 1 ms"
    assert first.round.start
    assert first.round.last.samples >= 0
    [loss] = [event for event in heard(name) if type(event).__name__ == "CongestionEvent"]
    # The first flight is limited by the application, which had nothing to send before it (Linux's
    # tcp_rate_check_app_limited).
    assert all(ack.rate.is_app_limited for ack in acks[:10])
    rates = [ack.rate for ack in acks[10:] if ack.rate is not None and ack.now < loss.now]
    # Ten segments a round trip of 61 ms: 1.9 Mbit/s.
    assert np.median([rate.delivery_rate for rate in rates]) == pytest.approx(
        10 * 1448 * 8 / 0.0613, rel=0.05
    )
    assert all(isinstance(rate.delivery_rate, int) and not rate.is_app_limited for rate in rates)
    times = [event.now for event in heard(name)]
    assert times == sorted(times)
    assert times == sys.modules[name].TIMES, "an event that is kept stays as it was"
    assert (loss.signal, loss.newly_lost) == ("loss", 1448)
    assert "CongestionEvent(signal='loss', now=" in repr(loss)
    assert repr(first).startswith("AckEvent(now=0.12")
    assert "rate=RateSample(delivery_rate=" in repr(acks[-1])
    assert result.flows["recoveries"][0] == 1
    with pytest.raises(AttributeError):
        first.now = 1.0
    with pytest.raises(AttributeError):
        first.newly_acked = 1


def test_a_fixed_window_gives_its_rate(write: Write) -> None:
    name = write("""
        class Fixed:
            def __init__(self, setup, segments=20):
                self.cwnd = segments * setup.mss + 0.75
            def on_ack(self, ack): ...
            def on_congestion(self, event): ...
        """)
    result = run(f"python:{name}:Fixed(segments=20)", duration="60s")
    # Fractions of a byte are dropped. A window per round trip; ACKs of two segments, which their
    # last byte starts.
    assert set(result.samples.flows["cwnd"].drop_nulls()) == {20 * 1448}
    assert result.value("goodput") == pytest.approx(
        20 * 1448 * 8 / (0.06 + 2 * 1500 * 8 / 10e6), rel=0.02
    )
    assert result.samples.flows["ssthresh"].null_count() == result.samples.flows.height


def test_a_pacing_rate_is_kept_to(write: Write) -> None:
    name = write("""
        class Paced(CongestionControl):
            implies = {"pacing": "cc"}
            def __init__(self, setup):
                super().__init__(setup)
                self.cwnd, self.pacing_rate = 1e6, 4e6
            def on_ack(self, ack): ...
            def on_congestion(self, event): ...
        """)
    result = run(f"python:{name}:Paced", duration="30s")
    assert result.value("goodput") == pytest.approx(4e6, rel=0.01)
    assert result.value("lost_packets") == 0


def test_fractions_of_a_byte_add_up_in_both_halves(write: Write) -> None:
    """A tenth of a byte per ACK: nothing, if each were cut off by itself."""
    name = write("""
        class Slow(Avoidance):
            def next_cwnd(self, ack, window):
                return window.cwnd + 0.1
            def ssthresh(self, event, window):
                return window.cwnd / 2
        class SlowToo(SlowStart):
            def on_ack(self, ack, window):
                return 0.1
        """)
    for cc, ssthresh in (
        (f"python:{name}:Slow", "5 packets"),
        (f"python:{name}:SlowToo+reno", None),
    ):
        result = run(cc, duration="20s", ssthresh=ssthresh)
        acks = result.flows["sent_packets"][0] / 2
        grown = result.flows["cwnd_max"][0] - 14480
        # Half of the segments are acknowledged one by one at the start (quick ACKs) or when the
        # delayed-ACK timer runs out.
        assert 0.1 * acks * 0.9 <= grown <= 0.1 * acks * 1.2


def test_a_slow_start_hands_over_with_the_window_it_names(write: Write) -> None:
    name = write("""
        class To(SlowStart):
            def __init__(self, setup, segments, exact=True):
                self.goal, self.exact = segments * setup.mss, exact
            def on_ack(self, ack, window):
                if self.exact:
                    return ExitAt(self.goal)
                grown = min(ack.newly_acked, self.goal - window.cwnd)
                return Exit(grown) if window.cwnd + grown >= self.goal else grown
        class Still(Avoidance):
            slow_start = "python:{}:To(segments=17)"
            def next_cwnd(self, ack, window):
                return window.cwnd
            def ssthresh(self, event, window):
                return window.cwnd
        """)
    still = f"python:{name}:Still"
    module = sys.modules.get(name)
    assert module is None
    for spec, segments in {
        f"python:{name}:To(segments=8)+{still}": 8,
        f"python:{name}:To(segments=30,exact=false)+{still}": 30,
    }.items():
        assert set(run(spec).samples.flows.filter(pl.col("time") > 1)["cwnd"]) == {
            segments * 1448
        }, spec
    sys.modules[name].Still.slow_start = f"python:{name}:To(segments=17)"
    assert set(run(still).samples.flows.filter(pl.col("time") > 1)["cwnd"]) == {17 * 1448}


def test_an_avoidance_can_take_over_from_slow_start(write: Write) -> None:
    name = write("""
        class Early(Avoidance):
            def take_over(self, ack, window):
                return 12 * window.mss if window.cwnd >= 25 * window.mss else None
            def next_cwnd(self, ack, window):
                return window.cwnd
            def ssthresh(self, event, window):
                return window.cwnd
        """)
    samples = run(f"python:{name}:Early").samples.flows
    assert samples["cwnd"].max() >= 24 * 1448
    assert set(samples.filter(pl.col("time") > 1)["cwnd"]) == {12 * 1448}


def test_optional_methods_are_called_where_they_are_defined(write: Write) -> None:
    name = write("""
        HEARD = []
        class Mine(CongestionControl):
            def on_ack(self, ack):
                if not ack.in_recovery:
                    self.cwnd = min(self.cwnd + ack.credited, 40 * self.mss)
            def on_congestion(self, event):
                self.cwnd = max(self.cwnd / 2, 2 * self.mss)
            def on_lost(self, segment):
                HEARD.append(("lost", segment.bytes, segment.lost, segment.now > segment.sent_at))
            def on_recovery_exit(self, now):
                HEARD.append(("exit", now))
            def on_transmit_start(self, now, is_app_limited):
                HEARD.append(("start", now, is_app_limited))
            def on_idle_restart(self, restart_window, now):
                HEARD.append(("idle", restart_window))
                super().on_idle_restart(restart_window, now)
            def begin_interval(self, start):
                HEARD.append(("begin", start.number, start.srtt))
                return 0.1
            def on_interval(self, interval):
                HEARD.append(("interval", interval))
        """)
    writes = {"kind": "writes", "writes": [["0s", "300kB"], ["5s", "100kB"]]}
    path = PATH | {"loss": {"kind": "list", "packets": [50]}}
    ac.run(ac.dumbbell(**path, duration="10s", flows=[ac.flow(f"python:{name}:Mine", app=writes)]))
    by_kind: dict[str, list[Any]] = {}
    for what, *rest in heard(name):
        by_kind.setdefault(what, []).append(rest)
    assert by_kind["lost"] == [[1448, 1448, True]]
    assert len(by_kind["exit"]) == 1
    assert [app_limited for _, app_limited in by_kind["start"]] == [True, True], (
        "nothing was written before"
    )
    assert by_kind["start"][1][0] == pytest.approx(5.0, abs=0.001)
    assert len(by_kind["idle"]) == 1
    assert by_kind["begin"][0][0] == 0
    intervals = [interval for [interval] in by_kind["interval"]]
    assert [interval.number for interval in intervals] == list(range(len(intervals)))
    assert sum(interval.lost for interval in intervals) == 1448
    delivered = [interval.delivered for interval in intervals if interval.start < 5.0]
    assert sum(delivered) == 300_000, "what was written first"
    assert intervals[0].rtt_mean == pytest.approx(0.06, rel=0.3)


def test_samples_of_a_class_that_limits_itself_count_as_limited(write: Write) -> None:
    name = write("""
        HEARD = []
        class Open(CongestionControl):
            owns_window = True
            def on_ack(self, ack):
                if ack.rate is not None:
                    HEARD.append(ack.rate.is_app_limited)
            def on_congestion(self, event): ...
        class Shy(Open):
            def limits_itself(self):
                return True
        """)
    run(f"python:{name}:Open", duration="2s")
    # The first flight is the application's: it had nothing to send before.
    assert all(heard(name)[:10])
    assert not any(heard(name)[10:])
    heard_before = len(heard(name))
    run(f"python:{name}:Shy", duration="2s")
    # The first flight was sent before anything was asked.
    assert heard(name)[heard_before + 10 :]
    assert all(heard(name)[heard_before + 10 :])


@pytest.mark.parametrize(
    "decides",
    [
        "cwnd = setup.mss",
        "cwnd = 2**50",
        "ssthresh = 0",
        "ssthresh = 2**50",
        "pacing_rate = 1",
        "pacing_rate = 2**50",
        "cwnd = 1448.9",
    ],
)
def test_what_is_just_allowed_is_run(write: Write, decides: str) -> None:
    name = write(f"""
        class Edge(CongestionControl):
            implies = {{"pacing": "cc"}}
            def __init__(self, setup):
                super().__init__(setup)
                self.{decides}
            def on_ack(self, ack): ...
            def on_congestion(self, event): ...
        """)
    result = run(f"python:{name}:Edge", duration="2s", transport={"receive_buffer": "2MiB"})
    assert result.flows["sent_packets"][0] > 0


def test_owns_window_leaves_recovery_to_the_class(write: Write) -> None:
    """With its own window in recovery there is no rate reduction: samples show its number."""
    name = write("""
        class Mine(CongestionControl):
            def on_ack(self, ack): ...
            def on_congestion(self, event): ...
        class Owner(Mine):
            owns_window = True
        """)
    loss = {"kind": "list", "packets": [100]}
    assert len(set(run(f"python:{name}:Owner", loss=loss).samples.flows["cwnd"])) == 1
    assert len(set(run(f"python:{name}:Mine", loss=loss).samples.flows["cwnd"])) > 1


def test_internals_are_recorded(write: Write) -> None:
    name = write("""
        class Mine(Avoidance):
            def next_cwnd(self, ack, window):
                self.seen = ack.round.count
                return window.cwnd
            def ssthresh(self, event, window):
                return window.cwnd / 2
            def internals(self):
                return {"round": self.seen} if hasattr(self, "seen") else {}
        """)
    table = run(f"python:{name}:Mine", duration="2s", ssthresh="5 packets").samples.internals
    rounds = table.filter(pl.col("name") == "round")["value"].to_list()
    assert rounds == sorted(rounds)
    assert rounds[-1] > 20


CHANCE = """
class Chance(Avoidance):
    def __init__(self, setup):
        self.random = setup.random
    def next_cwnd(self, ack, window):
        grown = self.random.choice([0, 1]) * window.mss * self.random.random()
        return window.cwnd + grown + self.random.gauss(0, 1) ** 2
    def ssthresh(self, event, window):
        return window.cwnd / 2
"""


def test_chance_is_the_flows_own_and_the_seeds(write: Write) -> None:
    name = write(CHANCE)
    cc = f"python:{name}:Chance"

    def scenario(seed: int, flows: int) -> ac.Scenario:
        others = [ac.flow(cc, name=f"f{index}") for index in range(flows)]
        return ac.dumbbell(
            **PATH, duration="5s", seed=seed, flows=others, record={"samples": "changes"}
        )

    first = traces(scenario(1, 2))
    assert traces(scenario(1, 2)) == first, "the same draws in every run"
    assert traces(scenario(2, 2)) != first, "others with another seed"
    counters = {flow["name"]: flow["acked_bytes"] for flow in first["flows"]}
    assert counters["f0"] != counters["f1"], "a stream per flow"


def test_numbers_are_drawn_from_the_named_stream_and_only_when_it_is_lent(write: Write) -> None:
    name = write("""
        HEARD = []
        class Mine(CongestionControl):
            def __init__(self, setup):
                super().__init__(setup)
                self.random = setup.random
            def on_ack(self, ack):
                if len(HEARD) < 3:
                    HEARD.append(self.random.random())
            def on_congestion(self, event): ...
        class Early(Mine):
            def __init__(self, setup):
                super().__init__(setup)
                self.random.random()
        """)
    run(f"python:{name}:Mine", duration="1s")
    from ackclock import _core

    assert heard(name) == _core.draw(
        1, "flow/flow1/cc", '{"kind": "uniform", "low": 0, "high": 1}', 3
    )
    with pytest.raises(
        ac.AlgorithmError, match="random numbers can be drawn in on_ack, on_congestion, next_cwnd"
    ):
        run(f"python:{name}:Early", duration="1s")


def test_the_stream_has_what_random_has() -> None:
    class Stream:
        words = 0

        def want(self) -> None: ...

        def unit(self) -> float:
            return 0.25

        def bits(self) -> int:
            self.words += 1
            return 2**64 - 1

    setup = Setup(stream=Stream())  # type: ignore[arg-type]
    chance = setup.random
    assert chance is setup.random
    assert chance.getrandbits(3) == 7
    assert chance.getrandbits(100) == 2**100 - 1
    assert chance.uniform(1, 3) == 1.5
    for refused in (chance.seed, chance.getstate):
        with pytest.raises(NotImplementedError):
            refused()
    with pytest.raises(RuntimeError, match="random numbers come from a run"):
        _ = Setup().random


def test_runs_on_several_threads_are_the_runs_alone() -> None:
    scenario = ac.dumbbell(
        **PATH, duration="10s", flows=[ac.flow("reno"), ac.flow("cubic", start="1s")]
    )
    cc = [spec_of(own_reno.Reno), spec_of(own_reno.Whole), "reno"]
    alone, together = (
        ac.compare(scenario, cc=cc, flows=["flow1"], seeds=2, workers=workers) for workers in (1, 4)
    )
    assert json.dumps(alone.to_dict()) == json.dumps(together.to_dict())
    assert alone.difference("goodput")["difference"].to_list() == [0.0, 0.0]


def test_tables_name_the_class_alone() -> None:
    from rich.console import Console

    result = run(spec_of(own_reno.Whole), duration="2s")
    console = Console(width=80, file=io.StringIO())
    with console.capture() as shown:
        console.print(result)
    assert " Whole " in shown.get()
    assert result.flows["cc"][0] == "python:own_reno:Whole"
