"""Is a stored run whole or absent, however its files were damaged?"""

import json
import multiprocessing
import os
import resource
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import duckdb
import polars as pl
import pytest

from ackclock.sweeps.responses import Response
from ackclock.sweeps.store import Store, StoreError
from ackclock.sweeps.task import Outcome, perform
from sweep_script import files_of, small_design

UTILISATION = Response("used", "utilisation")
P95 = Response("late", "queue_delay.p95")
GOODPUT = Response("goodput of reno", "goodput", "reno", "total")
SMOOTHNESS = Response("smoothness", "rate_variation")


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    return perform(replace(small_design(1).task(0, 0), responses=(UTILISATION, P95)))


@pytest.fixture
def store(tmp_path: Path, outcome: Outcome) -> Store:
    store = Store.open(tmp_path / "store", create=True)
    store.put(outcome, (UTILISATION, P95))
    return store


def paths(store: Store, outcome: Outcome) -> dict[str, Path]:
    return {
        kind: store.folder / outcome.key[:1] / f"{outcome.key}.{kind}"
        for kind in ("json",)
    }


def test_what_is_kept_comes_back(store: Store, outcome: Outcome) -> None:
    assert Store.open(store.folder).get(outcome.key, (UTILISATION, P95)) == outcome
    assert list(store.keys()) == [outcome.key]
    assert store.damaged == []


def test_a_run_that_is_not_there_is_none(store: Store) -> None:
    assert store.get("0" * 64, (UTILISATION,)) is None
    assert store.damaged == []


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _zeros(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def _flip(path: Path) -> None:
    text = bytearray(path.read_bytes())
    text[len(text) // 2] ^= 1
    path.write_bytes(text)


def _garbage(path: Path) -> None:
    path.write_bytes(b"\xff{]")


@pytest.mark.parametrize("kind", ["json", "parquet"])
@pytest.mark.parametrize("damage", [_cut, _empty, _zeros, _flip, _garbage])
def test_a_damaged_file_is_named_and_its_run_can_be_made_again(
    store: Store, outcome: Outcome, kind: str, damage: Callable[[Path], None]
) -> None:
    whole = files_of(store.folder)
    path = paths(store, outcome)[kind]
    damage(path)
    assert store.get(outcome.key, (UTILISATION,)) is None
    assert store.get(outcome.key, (P95,)) is None
    assert len(store.damaged) == 1
    assert str(path) in store.damaged[0]
    store.put(outcome, (UTILISATION, P95))
    assert Store.open(store.folder).get(outcome.key, (UTILISATION, P95)) == outcome
    assert files_of(store.folder) == whole


def test_a_missing_table_is_damage_and_a_missing_json_is_no_run(
    store: Store, outcome: Outcome
) -> None:
    paths(store, outcome)["parquet"].unlink()
    assert store.get(outcome.key, (UTILISATION,)) is None
    assert "missing" in store.damaged[0]
    paths(store, outcome)["json"].unlink()
    again = Store.open(store.folder)
    assert again.get(outcome.key, (UTILISATION,)) is None
    assert again.damaged == []


def test_a_file_under_another_runs_name_is_damage(store: Store, outcome: Outcome) -> None:
    other = replace(outcome, key=outcome.key[:-1] + ("0" if outcome.key[-1] != "0" else "1"))
    for kind, path in paths(store, outcome).items():
        path.rename(paths(store, other)[kind])
    assert store.get(other.key, (UTILISATION,)) is None
    assert "another run" in store.damaged[0]


def test_what_the_summary_gives_is_not_lacking(store: Store, outcome: Outcome) -> None:
    found = store.get(outcome.key, (GOODPUT, UTILISATION))
    assert found is not None
    assert list(found.figures) == ["goodput of reno", "used"]
    assert found.figures["goodput of reno"] == outcome.summary["flows"][0]["goodput"]


def test_what_needs_the_run_is_lacking_until_it_is_kept_beside_the_rest(
    store: Store, outcome: Outcome
) -> None:
    assert store.get(outcome.key, (SMOOTHNESS,)) is None
    assert store.damaged == []
    store.put(replace(outcome, figures={"smoothness": 0.25}), (SMOOTHNESS,))
    found = store.get(outcome.key, (P95, SMOOTHNESS))
    assert found is not None
    assert found.figures == {"late": outcome.figures["late"], "smoothness": 0.25}


def test_another_response_of_the_same_name_is_another(store: Store, outcome: Outcome) -> None:
    found = store.get(outcome.key, (Response("used", "loss_rate"),))
    assert found is not None
    assert found.figures != {"used": outcome.figures["used"]}


def test_the_order_in_which_figures_came_changes_no_byte(tmp_path: Path, outcome: Outcome) -> None:
    for name, order in (("a", (UTILISATION, P95)), ("b", (P95, UTILISATION))):
        store = Store.open(tmp_path / name, create=True)
        for response in order:
            store.put(
                replace(outcome, figures={response.name: outcome.figures[response.name]}),
                (response,),
            )
    assert files_of(tmp_path / "a") == files_of(tmp_path / "b")


def test_a_store_reads_as_one_table(tmp_path: Path, outcome: Outcome) -> None:
    store = Store.open(tmp_path / "runs", create=True)
    for number in range(3):
        store.put(replace(outcome, key=f"{number:064x}", seed=number), (UTILISATION, P95))
    pattern = str(store.folder / "*" / "*.parquet")
    frame = pl.read_parquet(pattern).sort("seed", "response")
    assert frame.columns == ["key", "seed", "response", "value"]
    assert frame["response"].to_list() == ["queue_delay.p95", "utilisation"] * 3
    with duckdb.connect() as database:
        rows = database.execute(
            f"select seed, avg(value) from read_parquet('{pattern}') where response = "
            "'utilisation' group by seed"
        )
        assert sorted(rows.fetchall()) == [(number, outcome.figures["used"]) for number in range(3)]
        summaries = database.execute(
            f"select run.summary.engine from read_json('{store.folder / '*' / '*.json'}')"
        )
        assert summaries.fetchall() == [("simulator",)] * 3


def test_a_folder_of_something_else_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for create in (False, True):
        with pytest.raises(StoreError, match="no store of ackclock"):
            Store.open(tmp_path, create=create)
    with pytest.raises(StoreError, match="no such folder"):
        Store.open(tmp_path / "nowhere")
    with pytest.raises(StoreError, match="a file"):
        Store.open(tmp_path / "notes.txt", create=True)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"kind": "ackclock store", "layout": 99, "results_version": 4}', "layout 99"),
        ('{"kind": "ackclock store", "layout": 1, "results_version": 1}', "results_version 1"),
        ('{"kind": "a shop"}', "something else"),
        ("[]", "something else"),
        ('{"kind": "ackcl', "cannot be read"),
    ],
)
def test_a_store_of_another_version_is_told_before_anything_runs(
    store: Store, text: str, said: str
) -> None:
    (store.folder / "store.json").write_text(text)
    with pytest.raises(StoreError, match=said):
        Store.open(store.folder, create=True)


def test_a_store_that_was_killed_before_it_had_its_mark_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "store" / "unfinished").mkdir(parents=True)
    (tmp_path / "store" / "unfinished" / "store.json.123-abc").write_text("{")
    assert Store.open(tmp_path / "store", create=True)


@pytest.mark.parametrize("step", ["before", "its JSON is gone", "its table is moved"])
def test_a_run_that_is_there_and_gets_another_figure_is_not_lost_by_a_kill(
    store: Store, outcome: Outcome, step: str, tmp_path: Path
) -> None:
    responses = (UTILISATION, P95, GOODPUT)
    other = Store.open(tmp_path / "other", create=True)
    other.put(replace(outcome, figures={**outcome.figures, GOODPUT.name: 1.0}), responses)
    # As a process that is killed at this step of `put` leaves it.
    for kind, path in paths(other, outcome).items():
        path.rename(store.folder / "unfinished" / f"{outcome.key}.123-abc.{kind}")
    there = paths(store, outcome)
    if step != "before":
        there["json"].unlink()
    if step == "its table is moved":
        (store.folder / "unfinished" / f"{outcome.key}.123-abc.parquet").replace(there["parquet"])
    again = Store.open(store.folder)
    again.tidy()
    assert again.get(outcome.key, (UTILISATION, P95)) is not None
    assert again.get(outcome.key, responses) is not None
    assert list((store.folder / "unfinished").iterdir()) == []
    assert again.damaged == []


def test_what_was_left_half_written_goes_and_what_is_being_written_stays(
    store: Store, outcome: Outcome
) -> None:
    left, written = "ab" * 32, "cd" * 32
    for key in (left, written):
        (store.folder / "unfinished" / f"{key}.123-abc.json").write_text("{")
    with _claimed_elsewhere(store.folder, written):
        store.tidy()
        assert [path.name[:2] for path in (store.folder / "unfinished").iterdir()] == ["cd"]
    store.tidy()
    assert list((store.folder / "unfinished").iterdir()) == []
    assert store.get(outcome.key, (UTILISATION,)) is not None


class _claimed_elsewhere:  # noqa: N801 - it stands in a with
    """Another process has claimed a run."""

    def __init__(self, folder: Path, key: str) -> None:
        context = multiprocessing.get_context("spawn")
        self._claimed = context.Event()
        self.process = context.Process(target=_hold, args=(folder, key, self._claimed))

    def __enter__(self) -> "_claimed_elsewhere":
        self.process.start()
        assert self._claimed.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.pid is not None
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.join()


def _hold(folder: Path, key: str, claimed: "multiprocessing.synchronize.Event") -> None:
    claim = Store.open(folder).claim(key)
    assert claim is not None
    with claim:
        claimed.set()
        signal.pause()


def test_a_claim_is_one_processs_until_it_ends_or_dies(store: Store) -> None:
    key, other = "ab" * 32, "cd" * 32
    with _claimed_elsewhere(store.folder, key):
        assert store.claim(key) is None
        free = store.claim(other)
        assert free is not None
        with free:
            assert Store.open(store.folder).claim(other) is None
    taken = store.claim(key)
    assert taken is not None
    with taken:
        assert store.claim(key) is None
    assert store.claim(other) is not None


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, outcome: Outcome) -> None:
    other = Store.open(tmp_path / "other", create=True)
    other.put(outcome, (UTILISATION, P95))
    first, second = sorted(path.stat().st_size for path in paths(other, outcome).values())
    store = Store.open(tmp_path / "store", create=True)
    before = files_of(store.folder)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    sizes = []
    try:
        for limit in (0, 100, first - 1, second - 1):
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
            with pytest.raises(OSError, match="File too large"):
                store.put(outcome, (UTILISATION, P95))
            sizes.append(files_of(store.folder) == before)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert sizes == [True] * 4
    assert store.get(outcome.key, (UTILISATION,)) is None
    store.put(outcome, (UTILISATION, P95))
    assert store.get(outcome.key, (UTILISATION, P95)) == outcome
    for path in paths(store, outcome).values():
        assert path.stat().st_size > 500
    assert json.loads(paths(store, outcome)["json"].read_bytes())["run"]["seed"] == outcome.seed
