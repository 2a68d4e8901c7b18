"""A wrong sweep is told in one line before it runs: axis, setting and the nearest name."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

import ackclock as ac
from ackclock.sweeps.sweeping import design_of

BASE = """
duration = "3s"
network.kind = "dumbbell"
network.bottleneck.rate = "5Mbit/s"
network.bottleneck.delay = "10ms"
network.bottleneck.limit = "20 packets"
network.bottleneck.qdisc = { kind = "codel" }
flows = [{ name = "alpha", cc = "reno" }, { name = "beta", cc = "cubic" }]
"""


def complaint(table: str) -> str:
    with pytest.raises(ac.ScenarioError) as caught:
        design_of(ac.Scenario.parse(tomllib.loads(BASE + table), "s.toml"))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def axis(*lines: str) -> str:
    return "[sweep]\n" + "".join(f"[[sweep.axes]]\n{line}\n" for line in lines)


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (
            axis('"network.bottleneck.limt" = ["1bdp"]'),
            "sweep.axes.0.network.bottleneck.limt: unknown key; did you mean 'limit'?",
        ),
        (
            axis('"netwrk.bottleneck.limit" = ["1bdp"]'),
            "'netwrk': unknown key; did you mean 'network'?",
        ),
        (
            axis('"flows.cout" = [1, 2]'),
            "sweep.axes.0.flows.cout: unknown key; did you mean 'count'?",
        ),
        (
            axis('"flows.alpha.cout" = [1, 2]'),
            "sweep.axes.0.flows.alpha.cout: unknown key; did you mean 'count'?",
        ),
        (axis('"flows.alfa.count" = [1, 2]'), "did you mean 'alpha'?"),
        (axis('"flows.7.count" = [1, 2]'), "there is no element 7: the list has 2, from 0"),
        (axis('"network.bottleneck.qdisc.tagret" = ["1ms"]'), "did you mean 'target'?"),
        (axis('"flows.count" = []'), "sweep.axes.0.flows.count: an axis without values"),
        (axis(""), "sweep.axes.0: an axis without a key of the scenario"),
        (axis('"flows.count" = 3'), "sweep.axes.0.flows.count: 3 is not a list of values"),
        (
            axis('"flows.count" = [1, 2]\n"flows.cc" = ["reno"]'),
            "flows.count has 2, flows.cc has 1",
        ),
        (
            axis('"flows.count" = [1, 2]\nlabels = ["a"]'),
            "sweep.axes.0.labels: 1 labels for 2 values",
        ),
        (axis('"flows.count" = [1, 1]'), "1 is there twice"),
        (
            axis('"flows.count" = [1, 2]', '"flows.count" = [3, 4]'),
            "sweep.axes.1.flows.count: sweep.axes.0 varies this key already",
        ),
        (axis('"seed" = [1, 2]'), "'seed' cannot vary: the seeds are those of the replications"),
        (axis('"compare.seeds" = [1, 2]'), "'compare.seeds' cannot vary"),
        (axis('"sweep.replications" = [1, 2]'), "'sweep.replications' cannot vary"),
        (axis('"record.samples" = ["1ms"]'), "'record.samples' cannot vary"),
        (
            axis('name = "seed"\n"flows.count" = [1, 2]'),
            "'seed' is a column of the results already",
        ),
        (
            axis('name = "x"\n"flows.count" = [1, 2]', 'name = "x"\n"flows.cc" = ["reno"]'),
            "'x' is another axis already",
        ),
        (
            axis('"flows.count" = { from = 1, to = 10, step = 4 }'),
            "flows.count.to: steps of 4 from 1 do not end at 10, but at 9 and 13",
        ),
        (
            axis('"flows.count" = { from = 0, to = 10, points = 4, spacing = "log" }'),
            "both ends must be more than zero",
        ),
        (
            axis('"flows.start" = { from = "1ms", too = "1s", points = 4 }'),
            "sweep.axes.0.flows.start.too: unknown key; did you mean 'to'?",
        ),
        (
            axis('"flows.start" = { from = "1ms", to = "4kB", points = 4 }'),
            "'4kB' is of another kind than '1ms'",
        ),
        (
            axis('"flows.start" = { from = "1ms", to = 4, points = 4 }'),
            "both ends are numbers, or both have a unit",
        ),
    ],
)
def test_an_axis_that_cannot_be(table: str, problem: str) -> None:
    assert problem in complaint(table)
    assert complaint(table).startswith("s.toml: sweep.axes.")


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (
            axis('"flows.count" = [1, 2]', '"network.bottleneck.limit" = ["5 packets", "five"]'),
            "sweep.axes.1.network.bottleneck.limit: 'five' is not a queue limit",
        ),
        (axis('"flows.alpha.cc" = ["reno", "cubik"]'), "(in setting 1 (cc=cubik))"),
        # Each alone would do.
        (
            axis('duration = ["3s", "1s"]', 'warmup = ["0s", "2s"]'),
            "is not before the end of the run, duration = '1s' (in setting 3",
        ),
        (
            axis(
                '"network.bottleneck.qdisc" = ["codel", "red"]',
                '"network.bottleneck.qdisc.target" = ["5ms"]',
            ),
            "(in setting 1 (qdisc=red, target=5ms))",
        ),
        # What no axis varies, but one of them brings about.
        (axis('"flows.alpha.name" = ["a", "beta"]'), "setting 1"),
    ],
)
def test_a_setting_that_cannot_run_is_named(table: str, problem: str) -> None:
    assert problem in complaint(table)


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (
            '[sweep]\nresponses = ["utilization"]',
            "sweep.responses.0: unknown metric \"utilization\"; did you mean 'utilisation'?",
        ),
        (
            '[sweep]\nresponses = [{ metric = "goodput", flows = "alpa" }]',
            "sweep.responses.0.flows: no setting has flows 'alpa'",
        ),
        (
            '[sweep]\nresponses = [{ metric = "utilisation", flows = "alpha" }]',
            "has no flows to choose from",
        ),
        (
            '[sweep]\nresponses = [{ metric = "goodput", over = "sum" }]',
            "'sum' is not one of total, mean, min, max",
        ),
        ('[sweep]\nresponses = ["goodput", "goodput"]', "there is a response 'goodput' already"),
        (
            axis('"flows.count" = [3, 2]').replace(
                "[sweep]", '[sweep]\nresponses = ["goodput@alpha.3"]'
            ),
            "setting 1 (count=2) has no flow 'alpha.3'",
        ),
        (
            axis('"flows.count" = [1, 2]') + '[[sweep.comparisons]]\naxis = "cuont"',
            "there is no axis 'cuont', only count; did you mean 'count'?",
        ),
        (
            axis('"flows.cc" = ["reno", "bbr"]')
            + '[[sweep.comparisons]]\naxis = "cc"\nbase = "ren"',
            "no value 'ren', only reno, bbr; did you mean",
        ),
        (
            axis('"flows.cc" = ["reno"]') + '[[sweep.comparisons]]\naxis = "cc"',
            "axis 'cc' has one value only",
        ),
        (
            '[sweep]\n[sweep.stop]\nresponse = "goodputt"\nrelative = 0.1\nmost = 20',
            "there is no response 'goodputt'",
        ),
        (
            '[sweep]\n[sweep.stop]\nresponse = "goodput"\nhalf_width = "1ms"\nmost = 20',
            "'1ms' is no half-width for goodput, which is in bit/s",
        ),
        ('[sweep]\n[sweep.stop]\nresponse = "goodput"\nmost = 20', "give either half_width"),
        (
            '[sweep]\n[sweep.stop]\nresponse = "goodput"\nrelative = 0.1\nmost = 5',
            "5 is less than the first batch, replications = 10",
        ),
        (
            (
                '[sweep]\n[sweep.stop]\nresponse = "goodput"\nrelative = 0.1\nmost = '
                "20\ncomparison = "
                '"cc"'
            ),
            "there is no axis 'cc', and none at all",
        ),
        ('[sweep]\nwarmup = "1s"', "a time belongs into the scenario's own warmup"),
        ("[sweep]\nconfidence = 95", "95 is not a confidence"),
        ("[sweep]\nreplication = 5", "did you mean 'replications'?"),
    ],
)
def test_what_is_asked_of_the_runs_and_cannot_be(table: str, problem: str) -> None:
    assert problem in complaint(table)


@pytest.mark.long
def test_a_sweep_beyond_all_measure_is_refused_before_its_settings_are_made() -> None:
    many = [
        '"flows.count" = { from = 1, to = 10000, step = 1 }',
        '"flows.alpha.parallel" = { from = 1, to = 1000, step = 1 }',
    ]
    assert (
        "10000 (count) × 1000 (parallel) = 10,000,000 settings, and 100,000 are the most"
        in complaint(axis(*many))
    )
    assert "20 settings × 1,000,000 replications = 20,000,000 runs" in complaint(
        axis('"flows.count" = { from = 1, to = 20, step = 1 }').replace(
            "[sweep]", "[sweep]\nreplications = 1000000", 1
        )
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[sweep]\nscenario = "bse.toml"\n', "sweep.scenario: there is no file"),
        (
            'duration = "3s"\n[sweep]\nscenario = "base.toml"\n',
            "duration: the scenario is that of base.toml, and this file has only",
        ),
        (
            '[sweep]\nscenario = "chain.toml"\n',
            "chain.toml takes its scenario from base.toml itself: name that",
        ),
    ],
)
def test_a_scenario_in_another_file_that_cannot_be(text: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text(BASE)
    (tmp_path / "chain.toml").write_text('[sweep]\nscenario = "base.toml"\n')
    (tmp_path / "s.toml").write_text(text)
    with pytest.raises(ac.ScenarioError) as caught:
        ac.load(tmp_path / "s.toml")
    assert problem in str(caught.value)


def test_an_error_in_that_file_is_told_there(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text(BASE.replace('"3s"', '"3"'))
    (tmp_path / "s.toml").write_text('[sweep]\nscenario = "base.toml"\n')
    with pytest.raises(ac.ScenarioError) as caught:
        ac.load(tmp_path / "s.toml")
    assert str(caught.value).startswith(f"{tmp_path / 'base.toml'}: duration: ")


def test_arguments_are_told_as_the_table_is() -> None:
    base = ac.Scenario.parse(tomllib.loads(BASE))
    bad: list[tuple[dict[str, Any], str]] = [
        ({"axes": [{"flows.cout": [1]}]}, "sweep.axes.0.flows.cout: unknown key"),
        ({"replications": 0}, "sweep.replications: 0 is too small"),
        ({"comparisons": ["cc"]}, "sweep.comparisons.0.axis: there is no axis 'cc'"),
    ]
    for given, problem in bad:
        with pytest.raises(ac.ScenarioError) as caught:
            ac.sweep(base, **given)
        assert problem in str(caught.value)
