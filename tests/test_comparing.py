"""Comparisons: the same runs in the same order with any workers; one set of seeds for all."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import ackclock as ac
from ackclock.sweeps import Progress
from ackclock.sweeps.comparing import comparison_of


def scenario(**options: str) -> ac.Scenario:
    flows = [
        ac.flow("reno", name="f", count=3, start="uniform(0s, 200ms)"),
        ac.flow("cubic", name="g"),
    ]
    return ac.dumbbell(
        rate="5Mbit/s", rtt="20ms", buffer="20 packets", flows=flows, duration="1s", **options
    )  # type: ignore[arg-type]


def test_the_number_of_workers_changes_nothing() -> None:
    single, four = (
        ac.compare(
            scenario(),
            cc=["reno", "cos+reno"],
            along={"flows.f.count": [1, 4]},
            seeds=3,
            workers=workers,
        )
        for workers in (1, 4)
    )
    assert single.to_dict() == four.to_dict()


def test_every_variant_gets_the_same_seeds() -> None:
    comparison = ac.compare(scenario(seed=7), cc=["reno", "cubic"], seeds=3)  # type: ignore[arg-type]
    runs = comparison.runs.select("variant", "seed").rows()
    assert runs == [(variant, seed) for variant in ("reno", "cubic") for seed in (7, 8, 9)]


def test_variants_of_different_seeds_are_refused() -> None:
    two = [scenario(name="a"), scenario(name="b", seed=7)]  # type: ignore[arg-type]
    with pytest.raises(ac.ScenarioError, match=r"7 is not the seed of the first scenario, 1: "):
        ac.compare(two)


def summaries(comparison: ac.SweepResult, store: Path) -> list[dict[str, Any]]:
    files = [store / key[0] / f"{key}.json" for key in comparison.runs["key"]]
    return [json.loads(path.read_text(encoding="utf-8"))["run"]["summary"] for path in files]


def test_a_run_is_the_one_that_it_says_and_is_kept(tmp_path: Path) -> None:
    comparison = ac.compare(
        scenario(),
        cc=["cubic"],
        along={"network.bottleneck.limit": ["10 packets"]},
        seeds=2,
        store=tmp_path,
    )
    same = scenario().replace(
        {"flows.cc": "cubic", "network.bottleneck.limit": "10 packets", "record.samples": "off"}
    )
    alone = ac.run(same, seed=2)
    kept = summaries(comparison, tmp_path)[1]
    # A run of a sweep travels as a plan, and its diagnosis names keys of the plan.
    assert {**kept, "diagnosis": None} == {**alone.summary(), "diagnosis": None}
    for name in ("goodput", "jain_index", "queue_delay.p99", "timeouts"):
        assert comparison.runs[name][1] == alone.metric(name)


def test_what_the_store_has_is_not_made_again(tmp_path: Path) -> None:
    seen: list[Progress] = []
    for _ in range(2):
        ac.compare(scenario(), cc=["reno", "cubic"], seeds=2, store=tmp_path, progress=seen.append)
    assert (seen[-1].finished, seen[-1].reused) == (4, 4)


def test_seeds_are_added_until_the_differences_are_known() -> None:
    name = "queue_delay.p95"
    stop = {"response": name, "half_width": "1ns", "most": 5, "comparison": "variant"}
    comparison = ac.compare(scenario(), cc=["reno", "cubic"], flows=["f"], seeds=2, stop=stop)
    assert [(outcome.replications, outcome.reached) for outcome in comparison.stopped] == [
        (5, False)
    ]
    assert comparison.runs.height == 10


def test_only_the_named_entries_change_their_algorithm() -> None:
    design = comparison_of(scenario(), cc=["cos+reno"], flows=["f"])
    assert [flow.cc for flow in design.scenario_at(0).flows] == ["cos+reno", "cubic"]


def test_scenarios_are_variants_under_their_names() -> None:
    comparison = ac.compare([scenario(name="a"), scenario(name="b")], seeds=1)
    assert comparison.table()["variant"].to_list() == ["a", "b"]
    both = comparison_of([scenario(name="a"), scenario(name="b")], cc=["reno", "cubic"])
    assert both.axes[0].labels == ("a reno", "a cubic", "b reno", "b cubic")


def test_scenarios_of_several_folders_run_and_load_again(tmp_path: Path) -> None:
    trace = "".join(f"{time}\n" for time in range(1, 101))
    for name, text in (("a", trace), ("b", trace + "101\n101\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "link.trace").write_text(text, encoding="utf-8")
        (tmp_path / name / f"{name}.toml").write_text(
            'duration = "1s"\nflows = [{ cc = "reno" }]\n'
            'network = { kind = "dumbbell", bottleneck = '
            '{ rate = { trace = "link.trace" }, delay = "10ms", limit = "20 packets" } }\n',
            encoding="utf-8",
        )
    made = ac.compare([tmp_path / "a/a.toml", tmp_path / "b/b.toml"])
    made.write(tmp_path / "results/of/both")
    again = ac.sweep(tmp_path / "results/of/both/sweep.toml")
    assert again.runs.select("variant", "key").equals(made.runs.select("variant", "key"))
    assert made.runs["key"].n_unique() == 2


def test_the_scenarios_own_table_is_the_default() -> None:
    asked = scenario().replace(
        {
            "compare": {
                "cc": ["reno", "cubic"],
                "seeds": 2,
                "metric": "goodput",
                "along": {"flows.g.count": [1, 2]},
            }
        }
    )
    comparison = ac.compare(asked)
    assert comparison.runs.height == 8
    assert [response.name for response in comparison.shown] == ["goodput"]


def test_progress_counts_up_to_all_runs() -> None:
    seen: list[Progress] = []
    ac.compare(scenario(), seeds=4, progress=seen.append)
    assert (seen[-1].finished, seen[-1].runs, seen[-1].share) == (4, 4, 1.0)
    assert [progress.finished for progress in seen] == sorted(
        progress.finished for progress in seen
    )


def test_an_exception_in_progress_ends_the_comparison() -> None:
    def enough(_: Progress) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        ac.compare(scenario(), seeds=8, progress=enough)


def test_without_a_metric_throughput_delay_losses_and_fairness_are_shown() -> None:
    comparison = ac.compare(scenario(), cc=["reno", "cubic"], seeds=3)
    assert [response.name for response in comparison.shown] == [
        "goodput",
        "queue_delay.p95",
        "loss_rate",
        "jain_index",
    ]
    console = Console(width=80, record=True, file=StringIO())
    console.print(comparison)
    text = console.export_text()
    assert max(map(len, text.splitlines())) <= 80
    assert "difference from reno, seed by seed" in text
    assert all(name in text for name in ("goodput", "queue delay p95", "loss rate", "Jain's"))
    assert "…" not in text
    alone = comparison_of(scenario().replace({"flows": [{"cc": "reno"}]}), cc=["reno", "cubic"])
    assert "jain_index" not in {response.name for response in alone.responses}, (
        "one shares with nobody"
    )


def test_every_metric_of_summaries_is_kept_and_reads_back(tmp_path: Path) -> None:
    made = ac.compare(scenario(), cc=["reno", "cubic"], seeds=2, metric="goodput")
    assert made.table("timeouts")["n"].to_list() == [2, 2]
    assert made.difference("queue_delay.mean")["value"].to_list() == ["cubic"]
    assert made.plot("utilisation").svg().startswith("<?xml")
    with pytest.raises(
        ValueError, match=r"there is no response 'goodputs'.*did you mean 'goodput'"
    ):
        made.table("goodputs")
    made.write(tmp_path / "c")
    again = ac.open_sweep(tmp_path / "c")
    assert again.to_dict(tables=True) == made.to_dict(tables=True)
    assert again.table("timeouts").equals(made.table("timeouts"))
    assert "Other metrics" in (tmp_path / "c/report.html").read_text(encoding="utf-8")


def test_a_run_tells_its_progress_and_its_seed() -> None:
    shares: list[float] = []
    result = ac.run(scenario(), seed=3, progress=shares.append)
    assert shares[-1] == 1.0
    assert result.plan["seed"] == 3
    assert set(result.timing) == {"setup_seconds", "run_seconds", "events"}
