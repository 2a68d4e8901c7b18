"""Sweeps from Python: figures, arguments over the table, shared stores, progress of a folder."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import ackclock as ac
from ackclock.results.diagnosis.sentences import cautions
from ackclock.sweeps.left import Left, left_of
from ackclock.sweeps.status import STORE, status_of
from ackclock.sweeps.store import Store
from ackclock.sweeps.sweeping import carry_out, design_of, find_warmup

if TYPE_CHECKING:
    from ackclock.sweeps.running import Progress


def scenario(**options: Any) -> ac.Scenario:
    flows = [ac.flow("reno", name="f", start="uniform(0s, 200ms)"), ac.flow("cubic", name="g")]
    return ac.dumbbell(
        rate="5Mbit/s", rtt="20ms", buffer="20 packets", flows=flows, duration="1s", **options
    )


AXES = [
    {"network.bottleneck.limit": ["5 packets", "20 packets"]},
    {"flows.f.cc": ["reno", "cubic"]},
]


def test_its_figures_are_those_of_the_runs() -> None:
    result = ac.sweep(
        scenario(seed=3),
        axes=AXES,
        replications=2,
        responses=["utilisation", {"metric": "rtt.p95", "flows": "f"}],
    )
    assert result.runs.height == 8
    row = result.runs.row(5, named=True)
    assert (row["limit"], row["cc"], row["seed"]) == ("20 packets", "reno", 4)
    alone = ac.run(scenario(seed=4))
    assert row["utilisation"] == alone.metric("utilisation")
    assert row["rtt.p95 of f"] == alone.metric("rtt.p95@f")


def test_arguments_win_over_the_table() -> None:
    table = {"axes": AXES, "replications": 3, "responses": ["goodput"], "comparisons": ["cc"]}
    result = ac.sweep(scenario().replace({"sweep": table}), replications=2)
    assert result.runs.height == 8
    assert result.runs.columns[-1] == "goodput"
    assert result.differences.height == 2
    assert ac.sweep(scenario().replace({"sweep": table}), axes=[], comparisons=[]).runs.height == 3


def test_the_package_and_the_function_are_one_name() -> None:
    import ackclock.sweeps.store

    assert ackclock.sweeps.store.Store is Store
    assert ac.sweep(scenario(), axes=[], replications=1).runs.height == 1


def test_sweeps_that_share_a_store_make_a_run_once(tmp_path: Path) -> None:
    def reused(**given: Any) -> tuple[int, int]:
        _, report = carry_out(
            design_of(scenario(), given), Store.open(tmp_path / "runs", create=True)
        )
        return report.reused, report.made

    assert reused(axes=AXES, replications=2) == (0, 8)
    assert reused(axes=AXES, replications=3) == (8, 4)
    assert reused(axes=AXES[:1], replications=3) == (6, 0)


def test_progress_counts_up_to_all_runs() -> None:
    seen: list[Progress] = []
    ac.sweep(scenario(), axes=AXES, replications=2, progress=seen.append)
    assert (seen[-1].finished, seen[-1].runs, seen[-1].share) == (8, 8, 1.0)


@pytest.mark.parametrize(
    "given", [{}, {"stop": {"response": "goodput", "relative": 1e-6, "most": 6, "batch": 2}}]
)
def test_a_folder_tells_how_far_it_is(given: dict[str, Any], tmp_path: Path) -> None:
    design = design_of(scenario(), {"axes": AXES, "replications": 2, **given})
    (tmp_path / "sweep.toml").write_text(design.to_toml(tmp_path))
    before = status_of(tmp_path)
    assert (before.finished, before.runs, before.complete) == (0, 8, False)
    store = Store.open(tmp_path / STORE, create=True)
    carry_out(design_of(scenario(), {"axes": AXES[:1], "replications": 2}), store)
    part = status_of(tmp_path)
    assert (part.finished, part.runs, part.complete) == (4, 8, False)
    _, report = carry_out(design, store)
    whole = status_of(tmp_path)
    assert (whole.finished, whole.runs, whole.complete, whole.written) == (
        len(report.rows),
        len(report.rows),
        True,
        False,
    )
    next((tmp_path / STORE).glob("*/*.json")).write_bytes(b"")
    hurt = status_of(tmp_path)
    assert hurt.finished < len(report.rows)
    assert len(hurt.damaged) == 1


def test_only_what_is_left_is_estimated(tmp_path: Path) -> None:
    few = design_of(scenario(), {"axes": AXES[:1], "replications": 3})
    more = design_of(scenario(), {"axes": AXES, "replications": 5})
    assert left_of(more, None) == left_of(more, tmp_path / "none") == Left((5,) * 4, (0,) * 4)
    assert not (tmp_path / "none").exists()
    store = Store.open(tmp_path / "runs", create=True)
    carry_out(few, store)
    left = left_of(more, tmp_path / "runs")
    # Settings 0 and 2 have the algorithms as they are, and three of their seeds are there.
    assert left == Left((2, 5, 2, 5), (0,) * 4)
    whole, rest = more.estimate(), more.estimate(left)
    assert (whole.there, rest.there, rest.runs) == (0, 6, 20)
    # The runs are alike to a few percent; 14 of 20 are left.
    assert rest.core_seconds / whole.core_seconds == pytest.approx(14 / 20, rel=0.2)
    # A run that lacks a figure is made again.
    others = design_of(
        scenario(), {"axes": AXES, "replications": 5, "responses": ["min_max_ratio"]}
    )
    assert left_of(others, tmp_path / "runs").runs == (5,) * 4
    carry_out(more, store)
    assert more.estimate(left_of(more, tmp_path / "runs")).core_seconds == 0.0


def test_pilots_that_are_there_are_not_estimated_again(tmp_path: Path) -> None:
    longer = scenario().replace({"duration": "20s"})
    design = design_of(longer, {"axes": AXES[:1], "replications": 2, "warmup": "auto"})
    store = Store.open(tmp_path / "runs", create=True)
    assert left_of(design, tmp_path / "runs") == Left((2, 2), (1, 1))
    warmup_ps = find_warmup(design, store)
    assert left_of(design, tmp_path / "runs") == Left((2, 2), (0, 0))
    carry_out(design, store, warmup_ps=warmup_ps)
    assert left_of(design, tmp_path / "runs") == Left((0, 0), (0, 0))


def test_a_folder_that_is_no_sweep_has_no_status(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="not the folder of a sweep"):
        status_of(tmp_path)


def test_what_runs_warn_of_is_told_once_with_how_many_do() -> None:
    narrow = scenario().replace({"network.access": {"rate": "4Mbit/s", "limit": "5 packets"}})
    assert cautions(ac.run(narrow).summary())
    result = ac.sweep(narrow, axes=AXES, replications=2)
    assert any(
        warning.startswith("setting 0 (limit=5 packets, cc=reno), seed 1: ")
        for warning in result.warnings
    )
    assert any("runs warn of this, in " in warning for warning in result.warnings)
    kinds = [warning.partition("seed")[2][4:] for warning in result.warnings]
    assert len(set(kinds)) == len(kinds)
