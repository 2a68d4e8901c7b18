"""Impairments of a wire: how they are written, what the engine gets, when a run warns."""

from typing import Any

import pytest

import ackclock as ac

MS = 10**9


def _scenario(bottleneck: dict[str, Any], **rest: Any) -> ac.Scenario:
    network = {
        "kind": "dumbbell",
        "bottleneck": {"rate": "10Mbit/s", "delay": "20ms", **bottleneck},
    }
    return ac.Scenario.parse(
        {"duration": "1s", "network": network, "flows": [{"name": "f", "cc": "reno"}], **rest}
    )


def _impairments(bottleneck: dict[str, Any], link: int = 0) -> list[dict[str, Any]]:
    impairments: list[dict[str, Any]] = (
        _scenario(bottleneck).plan()["links"][link].get("impairments", [])
    )
    return impairments


def test_a_wire_without_impairments_has_none_in_its_plan() -> None:
    assert "impairments" not in _scenario({}).plan()["links"][0]


def test_impairments_come_in_netems_order_whatever_the_files() -> None:
    given = {
        "reorder": {"p": 0.25, "gap": 5, "correlation": 0.5},
        "jitter": {"distribution": "normal(5ms, 2ms)", "correlation": 0.25, "reorder": True},
        "delay_schedule": {"steps": [["10s", "60ms"], ["20s", "25ms"]], "period": "30s"},
        "corrupt": {"p": 0.001},
        "duplicate": {"p": 0.01, "acks": True},
        "ecn_rewrite": {"rule": "clear-ce"},
    }
    assert _impairments(given) == [
        {"kind": "ecn-rewrite", "rule": "clear-ce"},
        {"kind": "duplicate", "p": 0.01, "correlation": 0.0, "acks": True},
        {"kind": "corrupt", "p": 0.001, "correlation": 0.0, "acks": False},
        {
            "kind": "delay-schedule",
            "delays": [[10_000 * MS, 60 * MS], [20_000 * MS, 25 * MS]],
            "period_ps": 30_000 * MS,
            "reorder": False,
        },
        {
            "kind": "jitter",
            "delay": {"kind": "normal", "mean": 0.005, "sd": 0.002},
            "correlation": 0.25,
            "reorder": True,
        },
        {"kind": "reorder", "p": 0.25, "gap": 5, "correlation": 0.5, "extra": None, "acks": False},
    ]


def test_short_forms_are_the_tables_with_one_key() -> None:
    short = {
        "jitter": "2ms",
        "delay_schedule": [["1s", "30ms"]],
        "reorder": 0.1,
        "duplicate": 0,
        "corrupt": "100%",
        "ecn_rewrite": "bleach",
    }
    long = {
        "jitter": {"distribution": "2ms"},
        "delay_schedule": {"steps": [["1s", "30ms"]]},
        "reorder": {"p": 0.1},
        "duplicate": {"p": 0},
        "corrupt": {"p": 1},
        "ecn_rewrite": {"rule": "bleach"},
    }
    assert _impairments(short) == _impairments(long)


def test_the_other_direction_has_its_own_or_none() -> None:
    assert _impairments({"jitter": "2ms"}, link=1) == []
    assert [
        impairment["kind"]
        for impairment in _impairments({"reverse": {"corrupt": {"p": 0.1, "acks": True}}}, link=1)
    ] == ["corrupt"]
    assert _impairments({"reverse": {"jitter": "2ms"}}) == []


def test_gilbert_elliotts_defaults_are_netems() -> None:
    loss = _scenario({"loss": {"kind": "gilbert-elliott", "p": 0.25}}).plan()["links"][0]["loss"]
    assert loss == {
        "kind": "gilbert-elliott",
        "p": 0.25,
        "r": 0.75,
        "loss_bad": 1.0,
        "loss_good": 0.0,
        "acks": False,
    }


def test_a_loss_acts_always_or_in_its_window() -> None:
    def window(**loss: Any) -> Any:
        loss = {"kind": "periodic", "every": 5, **loss}
        return _scenario({"loss": loss}).plan()["links"][0].get("loss_window")

    assert window() is None
    assert window(start="0s") is None
    assert window(start="2s") == {"start_ps": 2000 * MS, "stop_ps": None}
    assert window(stop="3s") == {"start_ps": 0, "stop_ps": 3000 * MS}
    assert "loss_window" not in _scenario({}).plan()["links"][0]


def test_bursts_are_times_or_distributions_of_times() -> None:
    loss = {"kind": "bursts", "length": "uniform(20ms, 50ms)", "gap": "2s"}
    assert _scenario({"loss": loss}).plan()["links"][0]["loss"] == {
        "kind": "bursts",
        "length": {"kind": "uniform", "low": 0.02, "high": 0.05},
        "gap": {"kind": "fixed", "value": 2.0},
        "acks": False,
    }


def test_the_hosts_jitter_is_where_they_send() -> None:
    scenario = ac.Scenario.parse(
        {
            "duration": "1s",
            "network": {
                "kind": "dumbbell",
                "bottleneck": {"rate": "10Mbit/s", "delay": "20ms"},
                "access": {"jitter": "uniform(0ms, 1ms)"},
            },
            "flows": [{"name": "f", "cc": "reno"}],
        }
    )
    links = {link["name"]: link.get("impairments", []) for link in scenario.plan()["links"]}
    jitter = [
        {
            "kind": "jitter",
            "delay": {"kind": "uniform", "low": 0.0, "high": 0.001},
            "correlation": 0.0,
            "reorder": False,
        }
    ]
    assert links == {
        "bottleneck": [],
        "bottleneck.reverse": [],
        "f.access-up": jitter,
        "f.access-down": [],
        "f.access-down.reverse": jitter,
        "f.access-up.reverse": [],
    }
    assert scenario.plan()["flows"][0]["path"] == [2, 0, 3]


@pytest.mark.parametrize(
    ("bottleneck", "key", "said"),
    [
        ({"jitter": 5}, "jitter", "is not a table"),
        ({"jitter": "5"}, "jitter", "no unit"),
        ({"jitter": "gauss(5ms, 1ms)"}, "jitter", "there is no distribution 'gauss'"),
        (
            {"jitter": {"distribution": "5ms", "correlation": 1.0}},
            "jitter.correlation",
            "less than 1",
        ),
        (
            {"jitter": {"distribution": "5ms", "reoder": True}},
            "jitter.reoder",
            "did you mean 'reorder'",
        ),
        ({"delay_schedule": []}, "delay_schedule", "too short"),
        ({"delay_schedule": ["10s"]}, "delay_schedule.0", "is not a step"),
        (
            {"delay_schedule": [["1s", "10ms"], ["1s", "20ms"]]},
            "delay_schedule.steps.1",
            "'1s' is not after the step",
        ),
        ({"delay_schedule": [["1s", "10"]]}, "delay_schedule", "no unit"),
        (
            {"delay_schedule": {"steps": [["1s", "10ms"]], "period": "1s"}},
            "delay_schedule.period",
            "ends before the last step",
        ),
        ({"reorder": {"gap": 5}}, "reorder.p", "missing"),
        ({"reorder": {"p": 0.1, "gap": 0}}, "reorder.gap", "at least 1"),
        ({"reorder": {"p": 0.1, "extra": "late"}}, "reorder.extra", "'late'"),
        (
            {"delay": "0ms", "limit": "10 packets", "reorder": {"p": 0.1}},
            "reorder",
            "no delay that packets could skip",
        ),
        ({"duplicate": 1.5}, "duplicate", "at most 1"),
        ({"corrupt": []}, "corrupt", "is not a table"),
        ({"corrupt": "1 %o"}, "corrupt", "'1 %o' is not a probability"),
        ({"corrupt": 2}, "corrupt", "at most 1; did you mean '2%'"),
        ({"corupt": {"p": 0.1}}, "corupt", "did you mean 'corrupt'"),
        (
            {"loss": {"kind": "gilbert-elliot", "p": 0.1}},
            "loss.kind",
            "did you mean 'gilbert-elliott'",
        ),
        ({"loss": {"kind": "gilbert-elliott", "p": 0.1, "r": 2}}, "loss.r", "at most 1"),
        (
            {"loss": {"kind": "bernoulli", "p": 0.1, "start": "5s", "stop": "5s"}},
            "loss.stop",
            "'5s' is not after the start of the loss, '5s'",
        ),
        ({"loss": {"kind": "bursts", "length": "1ms"}}, "loss.gap", "missing"),
        (
            {"loss": {"schedule": [["5s", "1%"], ["1s", "0%"]]}},
            "loss.schedule.1",
            "'1s' is not after the step that precedes it",
        ),
        (
            {"loss": {"schedule": [["0s", "much"]]}},
            "loss.schedule.0",
            "'much' is not a probability",
        ),
        ({"loss": {"schedule": [["0s"]]}}, "loss.schedule.0", "write a time and the loss"),
        ({"loss": {"kind": "steps"}}, "loss.schedule", "missing"),
        (
            {"loss": {"kind": "bursts", "length": "0s", "gap": "0s"}},
            "loss",
            "take 0ns on average: at least 1us",
        ),
        ({"ecn_rewrite": "bleech"}, "ecn_rewrite", "did you mean 'bleach'"),
        ({"ecn_rewrite": True}, "ecn_rewrite", "is not a table"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(bottleneck: dict[str, Any], key: str, said: str) -> None:
    with pytest.raises(ac.ScenarioError) as caught:
        _scenario(bottleneck).plan()
    assert caught.value.key == f"network.bottleneck.{key}"
    assert said in str(caught.value)


def test_paths_shorter_than_their_nominal_delay_are_warned_of() -> None:
    run = ac.run(_scenario({"delay_schedule": [["500ms", "5ms"]], "reorder": 0.01}))
    warnings = " ".join(run.summary()["warnings"])
    assert "goes down to 5 ms, below its delay of 20 ms" in warnings
    assert "skip its delay of 20 ms" in warnings
    longer = ac.run(
        _scenario({"delay_schedule": [["500ms", "50ms"]], "reorder": {"p": 0.01, "extra": "5ms"}})
    )
    assert "delay" not in " ".join(longer.summary()["warnings"])
