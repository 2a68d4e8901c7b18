"""Every figure in the lessons' texts, and in their things to try, is what a run gives."""

import importlib.util
import re
import sys
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl
import pytest

from ackclock.scenario import load
from lesson_runs import (
    MSS,
    NAMES,
    PRESETS,
    WEB,
    body,
    cuts,
    first_drop,
    flow,
    front,
    mbit,
    queue,
    run,
    samples,
    share,
    window,
)


@pytest.fixture(scope="module")
def build() -> Any:
    """The modules that make the page's presets."""
    sys.path.insert(0, str(WEB / "build"))
    made = {}
    for name in ("lessons", "more", "presets"):
        spec = importlib.util.spec_from_file_location(name, WEB / "build" / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        made[name] = importlib.util.module_from_spec(spec)
        sys.modules[name] = made[name]
        spec.loader.exec_module(made[name])
    yield made
    sys.path.remove(str(WEB / "build"))
    for name in made:
        del sys.modules[name]


def near(value: float, other: float, within: float) -> bool:
    return abs(value - other) <= within


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_has_ten_sentences_and_three_things_to_try(name: str) -> None:
    sentences = re.split(r"(?<=[.?!])(?<!al\.) (?=[A-Z])", body(name))
    assert len(sentences) == 10, sentences
    about = front(name)
    assert about["number"] == NAMES.index(name) + 1
    assert len(about["try"]) == 3
    start = about["start"]
    assert start["flow"] in {
        one["name"] for one in load(PRESETS / f"{name}.toml").model_dump()["flows"]
    }
    assert 0 <= start["time"] < float(load(PRESETS / f"{name}.toml").duration.removesuffix("s"))


def test_every_lesson_is_cheap() -> None:
    for name in NAMES:
        scenario = load(PRESETS / f"{name}.toml")
        assert float(scenario.duration.removesuffix("s")) <= 60
        rows = run(name).samples.flows.height
        assert rows <= 6100, (name, rows)


def test_presets_hold_the_plans_of_the_command_line(build: dict[str, ModuleType]) -> None:
    made = build["presets"].presets()
    assert [preset["name"] for preset in made][: len(NAMES)] == NAMES
    for preset in made[: len(NAMES)]:
        for one in preset["lesson"]["tries"]:
            file = PRESETS / f"{preset['name']}.toml"
            plan = build["lessons"].plan_text(load(file, changes=one["set"]).plan())
            assert one["plan"] == plan
    assert "cellular" in {preset["name"] for preset in made}
    shown = next(preset for preset in made if preset["name"] == "cellular")
    assert list(shown["files"]) == ["links/cellular.trace"]
    assert "\nrecord = {" in shown["toml"]


def test_a_lesson_without_its_three_things_is_refused(
    build: dict[str, ModuleType], tmp_path: Path
) -> None:
    text = tmp_path / "cubic.md"
    text.write_text((PRESETS / "cubic.md").read_text().replace("[[try]]", "[[tri]]", 1))
    with pytest.raises(SystemExit, match=r"cubic\.md: a lesson has three things to try"):
        build["lessons"].lesson(text, PRESETS / "cubic.toml", {})
    text.write_text((PRESETS / "cubic.md").read_text().replace("flows.cubic.cc", "flows.cubic.c"))
    with pytest.raises(SystemExit, match="unknown key"):
        build["lessons"].lesson(text, PRESETS / "cubic.toml", {})


def test_slow_start() -> None:
    base = run("slow-start")
    assert [round(window(base, "reno", time)) for time in (0.1, 0.17, 0.23, 0.31)] == [
        10, 20, 40, 84,
    ]  # fmt: skip
    # As many packets wait as the limit allows, one more is being sent.
    full = queue(base).filter(pl.col("queue_packets") >= 49)["time"][0]
    assert near(full, 0.33, 0.011)
    assert full <= first_drop(base) <= full + 0.02
    (first, peak, halved), *rest = cuts(base, "reno")
    assert near(first - first_drop(base), 0.12, 0.02)
    assert near(peak, 200, 1)
    assert near(halved, 101, 1)
    assert samples(base, "reno").filter(pl.col("time") < rest[0][0] - 0.1)["lost"].max() == 103
    # Congestion avoidance: a packet per round trip, which takes 62 to 122 ms.
    calm = window(base, "reno", 9.0) - window(base, "reno", 8.0)
    assert 8 <= calm <= 16


def test_slow_start_things_to_try() -> None:
    base = run("slow-start")
    fewer, deeper, warned = (run("slow-start", thing) for thing in (1, 2, 3))
    assert near(cuts(fewer, "reno")[0][0] - cuts(base, "reno")[0][0], 0.14, 0.011)
    assert flow(fewer, "reno")["lost_packets"] == flow(base, "reno")["lost_packets"]
    time, peak, _ = cuts(deeper, "reno")[0]
    assert near(time, 0.82, 0.011)
    assert near(peak, 500, 1)
    assert near(flow(deeper, "reno")["rtt_max"], 0.3, 0.005)
    assert samples(deeper, "reno").filter(pl.col("time") < 1.3)["lost"].max() == 254
    assert near(flow(warned, "reno")["slow_start_end_cwnd"] / MSS, 107, 1)
    assert samples(warned, "reno").filter(pl.col("time") < 2)["lost"].max() == 6


def test_aimd() -> None:
    base = run("aimd-fairness")
    first = [cut for cut in cuts(base, "first") if 11 < cut[0] < 18]
    second = [cut for cut in cuts(base, "second") if 11 < cut[0] < 18]
    assert [round(cut[1]) for cut in first] == [102, 86, 77, 72]
    assert [round(cut[1]) for cut in second] == [34, 51, 59, 63]
    for one, other, time in zip(first, second, (11.2, 13.4, 15.6, 17.8), strict=True):
        assert near(one[0], time, 0.1)
        assert near(other[0], time, 0.1)
    assert near(share(base, "first", 20, 25), 9.8, 0.06)
    assert near(share(base, "second", 20, 25), 9.6, 0.06)
    # From about 30 s on, cuts do not meet both any more.
    late = [cut[0] for cut in cuts(base, "second") if cut[0] > 20]
    alone = [
        cut[0]
        for cut in cuts(base, "first")
        if cut[0] > 11
        and min(abs(cut[0] - other) for other in [*late, 11.26, 13.42, 15.64, 17.84, 20]) > 0.5
    ]
    assert near(alone[0], 29, 1.5)


def test_aimd_things_to_try() -> None:
    longer, milder, vegas = (run("aimd-fairness", thing) for thing in (1, 2, 3))
    assert near(share(longer, "first", 20, 25), 12.7, 0.06)
    assert near(share(longer, "second", 20, 25), 6.6, 0.06)
    base = run("aimd-fairness")
    ratio = flow(base, "first")["recoveries"] / flow(longer, "first")["recoveries"]
    assert 3 <= ratio <= 4.5
    assert flow(milder, "first")["recoveries"] > 3 * flow(base, "first")["recoveries"]
    assert near(milder.links["queue_delay_mean"][0], 0.036, 0.0005)
    assert near(base.links["queue_delay_mean"][0], 0.022, 0.0005)
    assert vegas.flows["lost_packets"].sum() == 0
    assert near(vegas.links["queue_delay_mean"][0], 0.005, 0.0005)
    for begin in (20, 40, 50):
        assert near(share(vegas, "first", begin, begin + 10), 8.0, 0.06)
        assert near(share(vegas, "second", begin, begin + 10), 11.3, 0.06)


def test_cubic() -> None:
    base = run("cubic")
    found = {
        round(time, 1): (round(peak), round(after)) for time, peak, after in cuts(base, "cubic")
    }
    assert found[16.8] == (506, 354)
    assert found[22.1][0] == 502
    plateau = [window(base, "cubic", 25 + index / 10) for index in range(51)]
    assert max(plateau) - min(plateau) < 15
    assert near(window(base, "cubic", 28), 427, 1)
    assert found[33.8][0] > found[22.1][0]
    times = [time for time, *_ in cuts(base, "cubic") if time > 5]
    periods = [round(end - begin) for begin, end in pairwise(times)]
    assert periods == [12, 5, 12, 5, 12, 5]


def test_cubic_things_to_try() -> None:
    base, reno, faster, doubling = (run("cubic", thing) for thing in (None, 1, 2, 3))
    (time, _, after), (back, *_) = cuts(reno, "cubic")[1:3]
    assert near(time, 2.9, 0.05)
    assert round(after) == 251
    assert near(back - time, 24, 0.5)
    assert near(mbit(reno, "cubic"), 45.7, 0.05)
    assert near(mbit(base, "cubic"), 47.9, 0.05)
    for at, packets in ((30, 430), (35, 569), (38, 837)):
        assert near(window(faster, "cubic", at), packets, 1.5)
    assert near(cuts(doubling, "cubic")[0][1], 962, 1)
    assert flow(doubling, "cubic")["lost_packets"] == 684
    assert flow(base, "cubic")["lost_packets"] == 41


def test_bufferbloat() -> None:
    base = run("bufferbloat-codel")
    rows = queue(base)
    for time, delay in ((4.9, 0), (10, 0.28), (15, 0.53), (20, 1.2)):
        found = rows.filter(pl.col("time") <= time + 1e-9)["queue_delay"][-1]
        assert near(found, delay, 0.006), (time, found)
    assert first_drop(base) > 19
    assert near(base.streams["mos"][0], 1.0, 0.01)


def test_bufferbloat_things_to_try() -> None:
    base, codel, fair, small = (run("bufferbloat-codel", thing) for thing in (None, 1, 2, 3))
    assert near(codel.streams["delay_mean"][0], 0.018, 0.0005)
    assert near(codel.streams["mos"][0], 4.36, 0.005)
    assert near(mbit(codel, "download"), 9.3, 0.05)
    assert near(mbit(base, "download"), 9.6, 0.05)
    assert fair.streams["delay_p95"][0] < 0.0163
    assert near(fair.streams["delay_min"][0], 0.015, 0.0005)
    assert small.links["queue_delay_max"][0] < 0.03
    assert near(mbit(small, "download"), mbit(base, "download"), 0.02)
    assert (small.streams["lost_packets"][0], small.streams["sent_packets"][0]) == (8, 810)


def test_bbr() -> None:
    base = run("bbr-probes")
    phases = [row[1:] for row in base.phases().rows()][:4]
    assert [name for *_, name in phases] == ["STARTUP", "DRAIN", "PROBE_BW", "PROBE_RTT"]
    for (_, end, _), expected in zip(phases, (0.54, 0.66, 10.05, 10.31), strict=True):
        assert near(end, expected, 0.011)
    assert samples(base, "bbr").filter(pl.col("time") < 1)["inflight"].max() / MSS == 104  # type: ignore[operator]
    waiting = queue(base).filter(pl.col("time").is_between(2, 10))["queue_packets"]
    assert near(waiting.mean(), 5, 0.5)  # type: ignore[arg-type]
    assert waiting.max() == 13
    assert near(window(base, "bbr", 10.2), 4, 0.01)
    gains = base.samples.internals.filter(pl.col("name").cast(str) == "pacing_gain")
    probes = gains.filter(pl.col("time").is_between(2, 9.99)).filter(
        (pl.col("value") > 1.2) & (pl.col("value").shift(1) <= 1)
    )
    assert near(probes.height / 8, 3, 0.2)


def test_bbr_things_to_try() -> None:
    base, faster, lossy, two = (run("bbr-probes", thing) for thing in (None, 1, 2, 3))
    rates = samples(faster, "bbr").filter(pl.col("time").is_between(15.5, 15.65))["pacing_rate"]
    assert all(near(rate / 1e6, 19.1, 0.2) for rate in rates)
    assert near(mbit(lossy, "bbr"), 9.3, 0.05)
    reno = run("bbr-probes", 2, "flows.bbr.cc=reno")
    assert near(mbit(reno, "bbr"), 2.1, 0.05)
    assert near(two.links["queue_delay_mean"][0], 0.066, 0.0005)
    assert near(base.links["queue_delay_mean"][0], 0.009, 0.0005)


def test_bbr_beside_cubic() -> None:
    base = run("bbr-beside-cubic")
    assert near(mbit(base, "bbr"), 8.3, 0.05)
    assert near(mbit(base, "cubic"), 1.2, 0.05)
    assert near(flow(base, "cubic")["loss_rate"], 0.028, 0.0005)
    assert near(flow(base, "bbr")["loss_rate"], 0.015, 0.0005)
    for limit, expected in (("2bdp", 5.9), ("4bdp", 4.5)):
        found = run("bbr-beside-cubic", None, f"network.bottleneck.limit={limit}")
        assert near(mbit(found, "bbr"), expected, 0.05)


def test_bbr_beside_cubic_things_to_try() -> None:
    deep, third, fair = (run("bbr-beside-cubic", thing) for thing in (1, 2, 3))
    for result, bbr, cubic in ((deep, 3.3, 6.4), (third, 5.0, 4.6), (fair, 4.9, 4.7)):
        assert near(mbit(result, "bbr"), bbr, 0.06)
        assert near(mbit(result, "cubic"), cubic, 0.06)
    assert min(flow(deep, name)["rtt_mean"] for name in ("bbr", "cubic")) > 0.31
    least = deep.samples.internals.filter(
        (pl.col("name").cast(str) == "min_rtt") & (pl.col("time") > 12)
    )["value"]
    assert least.min() > 0.13  # type: ignore[operator]
    assert near(flow(fair, "bbr")["loss_rate"], 0.09, 0.005)


def test_unequal_rtts() -> None:
    base = run("unequal-rtts")
    assert near(flow(base, "near")["rtt_mean"], 0.062, 0.0005)
    assert near(flow(base, "far")["rtt_mean"], 0.124, 0.0005)
    assert near(mbit(base, "near"), 7.5, 0.05)
    assert near(mbit(base, "far"), 2.2, 0.05)
    assert near(mbit(base, "near") / mbit(base, "far"), 3.5, 0.1)
    assert [flow(base, name)["recoveries"] for name in ("near", "far")] == [30, 23]


def test_unequal_rtts_things_to_try() -> None:
    deep, fair, bbr = (run("unequal-rtts", thing) for thing in (1, 2, 3))
    assert near(flow(deep, "near")["rtt_mean"], 0.216, 0.0005)
    assert near(flow(deep, "far")["rtt_mean"], 0.276, 0.0005)
    assert near(mbit(deep, "near"), 6.6, 0.05)
    assert near(mbit(deep, "far"), 3.1, 0.05)
    assert near(mbit(fair, "far"), 3.8, 0.05)
    assert near(mbit(bbr, "far"), 5.5, 0.05)
    assert near(mbit(bbr, "near"), 4.0, 0.05)


def test_cos() -> None:
    base = run("cos-slow-start")
    found = [round(window(base, "flow", time)) for time in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)]
    assert found == [10, 32, 63, 99, 132, 156, 165]
    assert queue(base).filter(pl.col("time") < 1.5)["queue_packets"].max() == 35
    assert len(cuts(base, "flow")) == 1
    assert near(cuts(base, "flow")[0][0], 5.8, 0.05)
    assert flow(base, "flow")["limited_receive_window"] == 0


def test_cos_things_to_try() -> None:
    base, doubling, double, small = (run("cos-slow-start", thing) for thing in (None, 1, 2, 3))
    assert near(first_drop(doubling), 0.53, 0.006)
    assert flow(doubling, "flow")["lost_packets"] == 40
    assert near(mbit(doubling, "flow"), 13.9, 0.06)
    assert near(mbit(base, "flow"), 16.3, 0.06)
    assert near(first_drop(double), 0.33, 0.006)
    assert flow(double, "flow")["lost_packets"] == 19
    assert near(mbit(double, "flow"), 12.5, 0.05)
    assert near(flow(small, "flow")["slow_start_end_time"], 0.4, 0.006)
    assert flow(small, "flow")["lost_packets"] == 11
    assert near(mbit(small, "flow"), 8.3, 0.05)
