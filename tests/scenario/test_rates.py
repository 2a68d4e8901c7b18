"""Rates, outages and slots in a scenario: plans, nominal rates, and one line for each mistake."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import ackclock as ac
from ackclock.cli import main

MS = 10**9
S = 10**12


def scenario(**bottleneck: Any) -> ac.Scenario:
    link = {"rate": "10Mbit/s", "delay": "30ms"} | bottleneck
    data = {
        "duration": "10s",
        "network": {"kind": "dumbbell", "bottleneck": link},
        "flows": [{"cc": "reno"}],
    }
    return ac.Scenario.parse(data, "a.toml")


def links(**bottleneck: Any) -> list[dict[str, Any]]:
    return scenario(**bottleneck).plan()["links"][:2]


STEPS = [["0s", "10Mbit/s"], ["4s", "0bit/s"], ["6s", "2Mbit/s"]]


def test_a_schedule_in_the_plan() -> None:
    forward, reverse = links(rate={"schedule": STEPS, "period": "10s"})
    rates = [[0, 10_000_000], [4 * S, 0], [6 * S, 2_000_000]]
    assert forward["service"] == {"kind": "schedule", "rates": rates, "period_ps": 10 * S}
    # (4 s of 10 + 4 s of 2) / 10; a BDP of that and 60 ms.
    assert forward["rate_bps"] == 4_800_000
    assert forward["qdisc"]["limit_bytes"] == 36_000
    assert reverse["service"] == forward["service"]
    # Without a period it is named after its first rate.
    assert links(rate={"schedule": STEPS})[0]["rate_bps"] == 10_000_000
    assert (
        links(rate={"schedule": [["0s", "0bit/s"], ["1s", "3Mbit/s"]]})[0]["rate_bps"] == 3_000_000
    )


def test_outages_in_the_plan() -> None:
    waits, both = links(outages=[["1s", "2s"]])
    outage = {"windows": [[S, 2 * S]], "period_ps": None}
    assert waits["service"] == {"kind": "schedule", "rates": [[0, 10_000_000]], "outages": outage}
    assert both["service"] == waits["service"]
    loses, not_back = links(
        outages={"windows": [["1s", "2s"]], "period": "5s", "lossy": True}, reverse={"outages": []}
    )
    assert "service" not in loses
    assert loses["impairments"] == [{"kind": "outage", "windows": [[S, 2 * S]], "period_ps": 5 * S}]
    assert "impairments" not in not_back


def test_slots_in_the_plan() -> None:
    forward, reverse = links(
        reverse={"slot": {"min_delay": "5ms", "max_delay": "15ms", "packets": 32, "bytes": "60kB"}}
    )
    assert "impairments" not in forward
    assert reverse["impairments"] == [
        {
            "kind": "slot",
            "min_delay_ps": 5 * MS,
            "max_delay_ps": 15 * MS,
            "packets": 32,
            "bytes": 60_000,
        }
    ]
    forward, reverse = links(slot="10ms")
    assert forward["impairments"][0]["max_delay_ps"] == 10 * MS
    assert "impairments" not in reverse


def test_a_link_without_them_is_as_before() -> None:
    assert all(not {"service", "impairments"} & set(link) for link in links())


def test_a_trace_is_found_beside_the_scenario_and_kept_in_short(tmp_path: Path) -> None:
    (tmp_path / "a.trace").write_text("0\n3\n3\n3\n10\n")
    file = tmp_path / "a.toml"
    file.write_text(
        'duration = "1s"\nflows = [{ cc = "reno" }]\nnetwork.kind = "dumbbell"\n'
        'network.bottleneck = { rate = { trace = "a.trace" }, delay = "5ms", reverse = { rate = '
        '"1Mbit/s" } }\n'
    )
    scenario = ac.load(file)
    forward, reverse = scenario.plan()["links"]
    assert forward["service"] == {"kind": "trace", "opportunities": "0 3*3 7"}
    assert forward["rate_bps"] == 5 * 1500 * 8 * 100
    assert "service" not in reverse
    # What is written out names the same file.
    (tmp_path / "b.toml").write_text(scenario.to_toml())
    assert ac.load(tmp_path / "b.toml").plan() == scenario.plan()
    # Another value for the key, and another file.
    (tmp_path / "b.trace").write_text("1\n")
    assert (
        ac.load(file, settings=["network.bottleneck.rate.trace=b.trace"]).plan()["links"][0][
            "rate_bps"
        ]
        == 12_000_000
    )
    assert (
        ac.load(file, settings=["network.bottleneck.rate=2Mbit/s"]).plan()["links"][0]["rate_bps"]
        == 2_000_000
    )
    (tmp_path / "a.trace").write_text("1\n2\n2\n")
    assert scenario.replace({"seed": 2}).plan()["links"][0]["service"]["opportunities"] == "1 1*2"


@pytest.mark.parametrize(
    "bottleneck",
    [
        {"rate": {"schedule": STEPS, "period": "10s"}, "outages": [["1s", "2s"]]},
        {
            "outages": {"windows": [["1s", "2s"]], "period": "5s", "lossy": True},
            "slot": "10ms",
            "reverse": {"outages": [], "slot": "2ms"},
        },
    ],
)
def test_what_is_written_out_is_the_same_plan(bottleneck: dict[str, Any]) -> None:
    given = scenario(**bottleneck)
    assert ac.Scenario.parse(tomllib.loads(given.to_toml())).plan() == given.plan()


LINK = "network.bottleneck"
BAD: list[tuple[dict[str, Any], str, str]] = [
    ({"rate": {}}, "rate", "is not a rate: write text such as '10Mbit/s'"),
    ({"rate": {"shedule": STEPS}}, "rate", "is not a rate"),
    ({"rate": {"schedule": STEPS, "periot": "10s"}}, "rate.periot", "did you mean 'period'"),
    ({"rate": {"schedule": []}}, "rate.schedule", "too short"),
    ({"rate": {"schedule": [["0s"]]}}, "rate.schedule.0", "a time and the rate from then on"),
    ({"rate": {"schedule": [["0s", "10"]]}}, "rate.schedule.0", "unit"),
    (
        {"rate": {"schedule": [["1s", "1Mbit/s"]]}},
        "rate.schedule.0",
        "the first step says the rate at the start",
    ),
    (
        {"rate": {"schedule": [["0s", "1Mbit/s"], ["0s", "2Mbit/s"]]}},
        "rate.schedule.1",
        "steps are in order of time",
    ),
    ({"rate": {"schedule": [["0s", "0bit/s"]]}}, "rate.schedule", "all of its rates are zero"),
    (
        {"rate": {"schedule": STEPS, "period": "6s"}},
        "rate.period",
        "it must be after the last step",
    ),
    ({"rate": {"schedule": [["0s", "1Mbit/s"]], "period": "1us"}}, "rate.period", "at least 1ms"),
    ({"rate": {"trace": "nowhere.trace"}}, "rate.trace", "'nowhere.trace': there is no such file"),
    ({"rate": {"trace": "."}}, "rate.trace", "this is a folder"),
    ({"rate": {"trace": 5}}, "rate.trace", "is not text"),
    ({"outages": "5s"}, "outages", "is not a table"),
    ({"outages": [["5s"]]}, "outages.0", "its begin and its end"),
    ({"outages": [["5s", "5s"]]}, "outages", "ends after it begins"),
    ({"outages": [["5s", "7s"], ["7s", "8s"]]}, "outages", "in order and apart"),
    ({"outages": [["5", "7s"]]}, "outages", "unit"),
    (
        {"outages": {"windows": [["5s", "7s"]], "period": "6s"}},
        "outages.period",
        "no less than the end of the last outage",
    ),
    ({"outages": {"windows": [["0s", "7s"]], "period": "7s"}}, "outages", "down for ever"),
    ({"slot": "0s"}, "slot.min_delay", "changes nothing"),
    ({"slot": {"min_delay": "5ms", "max_delay": "4ms"}}, "slot.max_delay", "less than min_delay"),
    ({"slot": {"packets": 5}}, "slot.min_delay", "missing"),
    ({"slot": {"min_delay": "5ms", "packets": 0}}, "slot.packets", "at least 1"),
    (
        {"reverse": {"rate": "unlimited", "limit": "unlimited"}, "outages": [["5s", "7s"]]},
        "reverse.outages",
        "lossy = true",
    ),
]


@pytest.mark.parametrize(("bottleneck", "key", "says"), BAD)
def test_what_is_wrong_is_one_line(bottleneck: dict[str, Any], key: str, says: str) -> None:
    with pytest.raises(ac.ScenarioError) as caught:
        scenario(**bottleneck).plan()
    message = str(caught.value)
    assert message.startswith(f"a.toml: {LINK}.{key}: "), message
    assert says in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("rate", "hours", "most"),
    [
        ("10Mbit/s", 13, None),
        ("10Mbit/s", 15, 50_000_000),
        ({"trace": "a.trace"}, 1.3, None),
        ({"trace": "a.trace"}, 1.5, 5_000_000),
    ],
)
def test_outages_come_as_often_as_the_engine_can_count_through(
    rate: Any, hours: float, most: int | None, tmp_path: Path
) -> None:
    """An outage in each ms is two steps of a rate in each."""
    (tmp_path / "a.trace").write_text("1\n2\n")
    every_ms = {"windows": [["0ms", "0.5ms"]], "period": "1ms"}
    given = {
        "duration": f"{hours * 3600}s",
        "flows": [{"cc": "reno"}],
        "network": {
            "kind": "dumbbell",
            "bottleneck": {"rate": rate, "delay": "5ms", "outages": every_ms},
        },
    }
    if most is None:
        assert ac.Scenario.parse(given, folder=tmp_path).plan()
        return
    with pytest.raises(ac.ScenarioError, match=rf"it would change \d+ times .* and {most} is the"):
        ac.Scenario.parse(given, folder=tmp_path).plan()


@pytest.mark.parametrize(("hours", "most"), [(13, None), (15, 50_000_000)])
def test_bursts_come_as_often_as_the_engine_can_count_through(
    hours: float, most: int | None
) -> None:
    """A burst and a gap of a millisecond each are a thousand changes in a second."""
    given = {
        "duration": f"{hours}h",
        "flows": [{"cc": "reno"}],
        "network": {
            "kind": "dumbbell",
            "bottleneck": {
                "rate": "10Mbit/s",
                "delay": "5ms",
                "loss": {"kind": "bursts", "length": "1ms", "gap": "1ms"},
            },
        },
    }
    if most is None:
        assert ac.Scenario.parse(given).plan()
        return
    with pytest.raises(ac.ScenarioError, match=rf"it would change \d+ times .* and {most} is the"):
        ac.Scenario.parse(given).plan()


def status(*arguments: str) -> object:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    return stopped.value.code


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "there is nothing in it"),
        (b"0\n0\n", "all lines are 0"),
        (b"1\n\n2\n", "line 2 is empty"),
        (b"1\n2\n\n", "line 3 is empty"),
        (b"5\n4\n", "line 2: 4 ms is before the line that precedes it, 5 ms"),
        (b"1\n2.5\n", "line 2: '2.5' is not a whole number of ms"),
        (b"1\n-2\n", "line 2: '-2' is not a whole number"),
        (b"1\r\n2\r\n", "line 1: '1\\\\r' is not a whole number"),
        (b"1\n007\n", "line 2: '007' is not a whole number"),
        (b"1\n" + b"9" * 100_000 + b"\n", "line 2: '9"),
        (b"1\n99999999999\n", "is after the longest run"),
        (b"1\n2\n\xff\xfe\n", "line 3 is not text"),
        (b"\x00\x01\x02", "line 1"),
    ],
)
def test_a_trace_that_mm_link_would_refuse_is_refused(
    content: bytes,
    says: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.trace").write_bytes(content)
    Path("a.toml").write_text(
        'duration = "1s"\nflows = [{ cc = "reno" }]\nnetwork.kind = "dumbbell"\n'
        'network.bottleneck = { rate = { trace = "bad.trace" }, delay = "5ms" }\n'
    )
    assert status("run", "a.toml", "--out", "out") == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "a.toml: network.bottleneck.rate.trace: 'bad.trace': " in error
    assert says.replace("\\\\", "\\") in error
    assert len(error) < 400
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.toml", "bad.trace"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere.toml"], "there is no such file"),
        (
            ["a.toml", "--link", "bottlenek"],
            (
                "there is no link 'bottlenek', only bottleneck, bottleneck.reverse; did you mean "
                "'bottleneck'?"
            ),
        ),
        (["a.toml", "--delivered"], "has delivered nothing yet"),
        (["12Mbit/s", "--duration", "1.5ms"], "'1.5ms' is not a whole number of ms"),
        (["12Mbit/s", "--duration", "5"], "unit"),
        (["100Gbit/s", "--duration", "1h"], "more than 10000000 lines"),
        (["12Mbit/s", "--out", "a.toml"], "'a.toml' is there and is no such trace"),
        (["12Mbit/s", "--out", "no/such/x.trace"], "there is no folder"),
    ],
)
def test_a_trace_that_cannot_be_written_is_not(
    arguments: list[str],
    says: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    given = scenario().to_toml()
    Path("a.toml").write_text(given)
    assert (
        status("link-trace", *arguments, *([] if "--out" in arguments else ["--out", "x.trace"]))
        == 2
    )
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert says in error
    assert [path.name for path in tmp_path.iterdir()] == ["a.toml"]
    assert Path("a.toml").read_text() == given


def test_the_command_writes_what_a_scenario_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "x.trace"
    assert status("link-trace", "24Mbit/s", "--duration", "100ms", "--out", str(out)) == 0
    assert "200 opportunities in 0.1 s, 24 Mbit/s" in capsys.readouterr().out
    assert links(rate={"trace": str(out)})[0]["rate_bps"] == 24_000_000


def test_a_constant_rate_with_outages_becomes_a_trace_without_them(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(
        scenario(rate="12Mbit/s", outages=[["10ms", "30ms"]]).to_toml()
    )
    out = tmp_path / "x.trace"
    assert (
        status("link-trace", str(tmp_path / "s.toml"), "--duration", "40ms", "--out", str(out)) == 0
    )
    lines = [int(line) for line in out.read_text().split()]
    assert not [ms for ms in lines if 10 < ms < 30]
    assert len([ms for ms in lines if ms <= 10]) == 10
