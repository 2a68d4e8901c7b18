"""Comparisons: the same cells, in the same order, whatever the number of workers; the same seeds for every variant."""

import pytest

import ackclock as ac
from ackclock.comparing import Progress


def scenario(**options: str) -> ac.Scenario:
    flows = [ac.flow("reno", name="f", count=3, start="uniform(0s, 200ms)"), ac.flow("cubic", name="g")]
    return ac.dumbbell(rate="5Mbit/s", rtt="20ms", buffer="20 packets", flows=flows, duration="1s", **options)  # type: ignore[arg-type]


def test_the_number_of_workers_changes_nothing() -> None:
    one, four = (
        ac.compare(scenario(), cc=["reno", "cos+reno"], along={"flows.f.count": [1, 4]}, seeds=3, workers=workers) for workers in (1, 4)
    )
    assert one.to_dict() == four.to_dict()


def test_every_variant_gets_the_same_seeds() -> None:
    comparison = ac.compare(scenario(seed=7), cc=["reno", "cubic"], seeds=3)  # type: ignore[arg-type]
    seeds = {variant: [cell["seed"] for cell in comparison.cells if cell["variant"] == variant] for variant in comparison.variants}
    assert seeds == {"reno": [7, 8, 9], "cubic": [7, 8, 9]}


def test_a_cell_is_the_run_that_it_says() -> None:
    comparison = ac.compare(scenario(), cc=["cubic"], along={"network.bottleneck.limit": ["10 packets"]}, seeds=2)
    same = scenario().replace({"flows.cc": "cubic", "network.bottleneck.limit": "10 packets", "record.samples": "off"})
    assert comparison.cells[1]["summary"] == ac.run(same, seed=2).summary()


def test_only_the_named_entries_change_their_algorithm() -> None:
    comparison = ac.compare(scenario(), cc=["cos+reno"], flows=["f"])
    assert [flow["cc"] for flow in comparison.cells[0]["summary"]["flows"]] == ["cos+reno"] * 3 + ["cubic"]


def test_scenarios_are_variants_under_their_names() -> None:
    comparison = ac.compare([scenario(name="a"), scenario(name="b")], seeds=1)
    assert comparison.variants == ["a", "b"]
    both = ac.compare([scenario(name="a"), scenario(name="b")], cc=["reno", "cubic"])
    assert both.variants == ["a reno", "a cubic", "b reno", "b cubic"]


def test_the_scenarios_own_table_is_the_default() -> None:
    asked = scenario().replace({"compare": {"cc": ["reno", "cubic"], "seeds": 2, "metric": "goodput", "along": {"flows.g.count": [1, 2]}}})
    comparison = ac.compare(asked)
    assert len(comparison.cells) == 8
    assert comparison.metric == "goodput"


def test_progress_counts_up_to_all_runs() -> None:
    seen: list[Progress] = []
    ac.compare(scenario(), seeds=4, progress=seen.append)
    assert seen[-1] == Progress(4, 4, 1.0)
    assert [one.finished for one in seen] == sorted(one.finished for one in seen)


def test_an_exception_in_progress_ends_the_comparison() -> None:
    def enough(_: Progress) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        ac.compare(scenario(), seeds=8, progress=enough)


def test_a_run_tells_its_progress_and_its_seed() -> None:
    shares: list[float] = []
    result = ac.run(scenario(), seed=3, progress=shares.append)
    assert shares[-1] == 1.0
    assert result.plan["seed"] == 3
    assert set(result.timing) == {"setup_seconds", "run_seconds", "events"}
