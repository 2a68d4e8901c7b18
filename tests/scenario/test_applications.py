"""Applications: the refused ones, and the plans of the others."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

import ackclock as ac


def plan(app: Any, **flow: Any) -> dict[str, Any]:
    bottleneck = {"rate": "10Mbit/s", "delay": "10ms", "limit": "1bdp"}
    scenario = ac.Scenario.parse(
        {
            "duration": "10s",
            "network": {"kind": "dumbbell", "bottleneck": bottleneck},
            "flows": [{"name": "f", "cc": "reno", "app": app, **flow}],
        }
    )
    return dict(scenario.plan())


@pytest.mark.parametrize(
    ("app", "key", "words"),
    [
        ({"kind": "short-flows", "size": "1kB"}, "flows.0.app.load", "missing: write load"),
        (
            {"kind": "short-flows", "size": "1kB", "load": 0.5, "interval": "1s"},
            "flows.0.app.load",
            "leave one out",
        ),
        (
            {"kind": "short-flows", "size": "1kB", "load": 0.0},
            "flows.0.app.load",
            "must be more than 0",
        ),
        (
            {"kind": "short-flows", "size": "1kB", "load": -0.5},
            "flows.0.app.load",
            "must be more than 0",
        ),
        (
            {"kind": "short-flows", "size": "1kB", "interval": "0s"},
            "flows.0.app.interval",
            "all would arrive at once",
        ),
        (
            {"kind": "short-flows", "size": "pareto(1kB, 0.9)", "load": 0.5},
            "flows.0.app.size",
            "mean is infinite",
        ),
        (
            {"kind": "short-flows", "size": "1kB", "load": 0.5, "connections": 0},
            "flows.0.app.connections",
            "at least 1",
        ),
        (
            {"kind": "short-flows", "size": "1kB", "load": 0.5, "files": 0},
            "flows.0.app.files",
            "at least 1",
        ),
        ({"kind": "short-flow", "size": "1kB"}, "flows.0.app.kind", "did you mean 'short-flows'?"),
        ({"kind": "repeated", "size": "1kB", "think": "-1s"}, "flows.0.app.think", "'-1s'"),
        ({"kind": "repeated", "size": "10"}, "flows.0.app.size", "'10'"),
        ({"kind": "web", "load": 0.5, "arrivals": "1s"}, "flows.0.app.load", "leave one out"),
        ({"kind": "web", "parallel": 0}, "flows.0.app.parallel", "at least 1"),
        ({"kind": "web", "connections": 2}, "flows.0.app.connections", "less than the 6"),
        ({"kind": "web", "objekts": 3}, "flows.0.app.objekts", "did you mean 'objects'?"),
        ({"kind": "request-response"}, "flows.0.app.response", "missing"),
        ({"kind": "incast"}, "flows.0.app.size", "missing"),
        ({"kind": "incast", "size": "1kB", "round": 3}, "flows.0.app.round", "did you mean"),
        ({"kind": "incast", "size": "1kB", "rounds": 0}, "flows.0.app.rounds", "at least 1"),
        (
            {"kind": "request-response", "response": "1kB", "server": "fast"},
            "flows.0.app.server",
            "'fast'",
        ),
        (
            {"kind": "adaptive-video", "ladder": ["2Mbit/s", "1Mbit/s"]},
            "flows.0.app.ladder.1",
            "not above the rung before it",
        ),
        ({"kind": "adaptive-video", "ladder": []}, "flows.0.app.ladder", "at least 1"),
        (
            {"kind": "adaptive-video", "buffer": "6s"},
            "flows.0.app.buffer",
            "does not hold two segments",
        ),
        (
            {"kind": "adaptive-video", "startup": "40s"},
            "flows.0.app.startup",
            "more than the buffer",
        ),
        ({"kind": "adaptive-video", "abr": "bolo"}, "flows.0.app.abr", "did you mean 'bola'?"),
        ({"kind": "on-off", "on": "0s", "off": "1s"}, "flows.0.app.on", "takes time"),
        ({"kind": "on-off", "on": "1s", "off": "1s", "rate": "fast"}, "flows.0.app.rate", "'fast'"),
        ({"kind": "application-limited", "rate": "0bit/s"}, "flows.0.app.rate", "zero"),
        (
            {"kind": "application-limited", "rate": "1Mbit/s", "every": "0s"},
            "flows.0.app.every",
            "zero",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(app: dict[str, Any], key: str, words: str) -> None:
    with pytest.raises(ac.ScenarioError) as caught:
        plan(app)
    assert caught.value.key == key
    assert words in str(caught.value)


def test_a_cdf_must_end_at_one(tmp_path: Path) -> None:
    (tmp_path / "sizes.cdf").write_text("100 0.2\n5000 0.9\n", encoding="utf-8")
    file = tmp_path / "s.toml"
    file.write_text(
        'duration = "1s"\nnetwork = { kind = "dumbbell", bottleneck = { rate = "1Mbit/s", delay = '
        '"1ms" } }\n'
        '[[flows]]\ncc = "reno"\napp = { kind = "short-flows", load = 0.5, size = '
        '"cdf(sizes.cdf)" }\n',
        encoding="utf-8",
    )
    with pytest.raises(
        ac.ScenarioError,
        match=r"flows\.0\.app\.size: .*the last probability is 0\.9, and must be 1",
    ):
        ac.load(file)


def test_a_load_needs_a_rate() -> None:
    scenario = ac.Scenario.parse(
        {
            "duration": "1s",
            "network": {
                "kind": "graph",
                "nodes": ["a", "b"],
                "links": [{"from": "a", "to": "b", "delay": "1ms"}],
            },
            "flows": [{"cc": "reno", "app": {"kind": "short-flows", "load": 0.5, "size": "1kB"}}],
        }
    )
    with pytest.raises(
        ac.ScenarioError,
        match="no link of the path has a rate to be loaded; write interval instead",
    ):
        scenario.plan()


def test_a_load_is_an_interval_by_payload_and_headers() -> None:
    app = plan({"kind": "short-flows", "load": 0.5, "size": "14480 bytes"})["sessions"][0]["app"]
    assert app["interval"] == {
        "kind": "exponential",
        "mean": pytest.approx(10 * 1500 * 8 / 5e6, rel=1e-12),
    }


def test_requests_go_the_other_way() -> None:
    made = plan({"kind": "request-response", "response": "1kB"})
    responses, requests = made["flows"]
    assert (requests["path"], requests["reverse_path"]) == (
        responses["reverse_path"],
        responses["path"],
    )
    assert [flow["part_of"]["is_request"] for flow in made["flows"]] == [False, True]
    (session,) = made["sessions"]
    assert (session["name"], session["stream"], session["flows"], session["stop_ps"]) == (
        "f",
        "flow/f.1",
        [0, 1],
        None,
    )


@pytest.mark.parametrize(
    ("app", "connections"),
    [
        ({"kind": "repeated", "size": "1kB"}, 1),
        ({"kind": "web"}, 6),
        ({"kind": "web", "persistent": True}, 12),
        ({"kind": "web", "load": 0.5}, 200),
        ({"kind": "web", "load": 0.5, "connections": 10, "persistent": True}, 20),
        ({"kind": "adaptive-video"}, 2),
    ],
)
def test_connections_are_what_an_application_may_open(
    app: dict[str, Any], connections: int
) -> None:
    assert len(plan(app)["flows"]) == connections


def test_sessions_take_no_parallel_connections() -> None:
    with pytest.raises(ac.ScenarioError, match="web opens its own connections"):
        plan("web", parallel=2)


def test_what_is_resolved_can_be_read_again() -> None:
    scenario = ac.dumbbell(
        rate="10Mbit/s",
        rtt="20ms",
        buffer="1bdp",
        duration="10s",
        flows=[
            ac.flow("reno", app={"kind": "web", "load": 0.3, "connections": 50}),
            ac.flow("reno", app="adaptive-video"),
        ],
    )
    again = ac.Scenario.parse(tomllib.loads(scenario.to_toml()))
    assert again.plan() == scenario.plan()


def incast(**app: Any) -> ac.Result:
    """Eight servers behind 100 Mbit/s and 2 ms, with a buffer that holds all responses."""
    bottleneck = {"rate": "100Mbit/s", "delay": "1ms", "limit": "unlimited"}
    table = {"kind": "incast", "size": "14480 bytes", **app}
    return ac.run(
        ac.Scenario.parse(
            {
                "duration": "1s",
                "warmup": "0.1s",
                "network": {"kind": "dumbbell", "bottleneck": bottleneck},
                "flows": [{"name": "s", "cc": "cubic", "count": 8, "app": table}],
            }
        )
    )


def test_a_round_takes_the_lines_time_for_all_responses() -> None:
    result = incast()
    # A request of 152 bytes each way through a shared line, then 80 full packets and half an RTT.
    least = 80 * 1500 * 8 / 100e6 + 0.002
    assert result.metric("round_time.p50") == pytest.approx(least, rel=0.02)
    longest = result.metric("response_time.p99")
    assert longest == pytest.approx(result.metric("round_time.p99"), rel=1e-6)
    rounds = result.metric("finished_transfers(kind=round)")
    assert rounds == pytest.approx(0.9 / least, rel=0.03)
    assert result.metric("finished_transfers(kind=response)") == pytest.approx(8 * rounds, abs=8)


def test_servers_of_one_entry_are_a_group_and_each_is_a_session() -> None:
    sessions = incast(rounds=2).plan["sessions"]
    assert [session["name"] for session in sessions] == [f"s.{n}" for n in range(1, 9)]
    assert {session["app"]["group"] for session in sessions} == {"flows.0.app"}


def test_an_optimistic_receiver_has_no_application_that_waits_for_all_data() -> None:
    with pytest.raises(ac.ScenarioError, match="incast waits until all data") as caught:
        plan({"kind": "incast", "size": "1kB"}, transport={"optimistic_ack": "2 packets"})
    assert caught.value.key == "flows.0.transport.optimistic_ack"
