"""Is a stored run whole or absent, however its files were damaged?"""

import hashlib
import json
import multiprocessing
import os
import resource
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

import ackclock
from ackclock._core import RESULTS_VERSION
from ackclock.sweeps import store as stores
from ackclock.sweeps.responses import Response
from ackclock.sweeps.store import Store, StoreError
from ackclock.sweeps.task import Outcome, definition, perform
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


def path_of(store: Store, outcome: Outcome) -> Path:
    return store.folder / outcome.key[0] / f"{outcome.key}.json"


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


@pytest.mark.parametrize("damage", [_cut, _empty, _zeros, _flip, _garbage])
def test_a_damaged_file_is_named_and_its_run_can_be_made_again(
    store: Store, outcome: Outcome, damage: Callable[[Path], None]
) -> None:
    whole = files_of(store.folder)
    path = path_of(store, outcome)
    damage(path)
    assert store.get(outcome.key, (UTILISATION,)) is None
    assert store.get(outcome.key, (P95,)) is None
    assert len(store.damaged) == 1
    assert str(path) in store.damaged[0]
    store.put(outcome, (UTILISATION, P95))
    assert Store.open(store.folder).get(outcome.key, (UTILISATION, P95)) == outcome
    assert files_of(store.folder) == whole


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("figures", 3),
        ("figures", {"a": "b"}),
        ("summary", []),
        ("summary", {}),
        ("summary", {"flows": [3]}),
        ("cautions", [3]),
        ("cautions", None),
        ("seed", "x"),
        ("digest", 3),
        ("key", []),
    ],
)
def test_a_run_of_another_shape_with_a_sound_checksum_is_damage(
    store: Store, outcome: Outcome, key: str, value: object
) -> None:
    path = path_of(store, outcome)
    start = len(stores._HEAD) + 64
    content = path.read_bytes()
    run = json.loads(content[start + len(stores._NECK) : -len(stores._TAIL)])
    body = json.dumps({**run, key: value}).encode()
    digest = hashlib.sha256(body).hexdigest().encode()
    path.write_bytes(b"".join((stores._HEAD, digest, stores._NECK, body, stores._TAIL)))
    assert store.get(outcome.key, (UTILISATION, P95, Response("lost", "loss_rate"))) is None
    assert len(store.damaged) == 1
    assert str(path) in store.damaged[0]


def test_a_file_under_another_runs_name_is_damage(store: Store, outcome: Outcome) -> None:
    other = replace(outcome, key=outcome.key[:-1] + ("0" if outcome.key[-1] != "0" else "1"))
    path_of(store, outcome).rename(path_of(store, other))
    assert store.get(other.key, (UTILISATION,)) is None
    assert "another run" in store.damaged[0]


def test_what_the_summary_gives_is_not_lacking(store: Store, outcome: Outcome) -> None:
    stored = store.get(outcome.key, (GOODPUT, UTILISATION))
    assert stored is not None
    assert list(stored.figures) == ["goodput of reno", "used"]
    assert stored.figures["goodput of reno"] == outcome.summary["flows"][0]["goodput"]


def test_what_needs_the_run_is_lacking_until_it_is_kept_beside_the_rest(
    store: Store, outcome: Outcome
) -> None:
    assert store.get(outcome.key, (SMOOTHNESS,)) is None
    assert store.damaged == []
    store.put(replace(outcome, figures={"smoothness": 0.25}), (SMOOTHNESS,))
    stored = store.get(outcome.key, (P95, SMOOTHNESS))
    assert stored is not None
    assert stored.figures == {"late": outcome.figures["late"], "smoothness": 0.25}


def test_another_response_of_the_same_name_is_another(store: Store, outcome: Outcome) -> None:
    stored = store.get(outcome.key, (Response("used", "loss_rate"),))
    assert stored is not None
    assert stored.figures != {"used": outcome.figures["used"]}


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
    pattern = str(store.folder / "*" / "*.json")
    with duckdb.connect() as database:
        rows = database.execute(
            f"select run.seed, run.figures.utilisation, run.summary.engine from "
            f"read_json('{pattern}') order by run.seed"
        )
        assert rows.fetchall() == [
            (number, outcome.figures["used"], "simulator") for number in range(3)
        ]


def test_runs_of_an_earlier_store_are_read_and_it_is_raised_by_the_first_new_one(
    tmp_path: Path, outcome: Outcome
) -> None:
    folder = tmp_path / "store"
    mark = {"kind": "ackclock store", "layout": 1, "results_version": RESULTS_VERSION}
    (folder / "unfinished").mkdir(parents=True)
    (folder / "store.json").write_text(json.dumps(mark))
    full = ackclock.run(small_design(1).scenario_at(0)).summary()
    figures = {
        definition(response): outcome.figures[response.name] for response in (UTILISATION, P95)
    }
    run = {
        "digest": "of the diagnosis, too",
        "figures": figures,
        "key": outcome.key,
        "parquet": "of a file that nobody reads any more",
        "seed": outcome.seed,
        "summary": full,
    }
    body = json.dumps(run, sort_keys=True, separators=(",", ":"))
    checksum = hashlib.sha256(body.encode()).hexdigest()
    (folder / outcome.key[:2]).mkdir()
    (folder / outcome.key[:2] / f"{outcome.key}.json").write_text(
        f'{{"checksum":"{checksum}","run":{body}}}\n'
    )
    store = Store.open(folder)
    assert store.get(outcome.key, (UTILISATION, P95)) == outcome
    assert list(store.keys()) == [outcome.key]
    assert json.loads((folder / "store.json").read_text()) == mark
    other = replace(outcome, key="ab" * 32)
    store.put(other, (UTILISATION, P95))
    assert json.loads((folder / "store.json").read_text())["layout"] == 2
    again = Store.open(folder)
    for expected in (outcome, other):
        assert again.get(expected.key, (UTILISATION, P95)) == expected
    assert list(again.keys()) == sorted([outcome.key, other.key])
    assert again.damaged == []


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


def test_a_run_that_is_there_and_gets_another_figure_is_not_lost_by_a_kill(
    store: Store, outcome: Outcome, tmp_path: Path
) -> None:
    responses = (UTILISATION, P95, GOODPUT)
    other = Store.open(tmp_path / "other", create=True)
    other.put(replace(outcome, figures={**outcome.figures, GOODPUT.name: 1.0}), responses)
    # As a process that is killed between the two steps of `put` leaves it.
    path_of(other, outcome).rename(store.folder / "unfinished" / f"{outcome.key}.123-abc.json")
    again = Store.open(store.folder)
    again.tidy()
    stored = again.get(outcome.key, responses)
    assert stored is not None
    assert stored.figures[GOODPUT.name] == 1.0
    assert list((store.folder / "unfinished").iterdir()) == []
    assert again.damaged == []


@pytest.mark.long
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


@pytest.mark.long
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
    size = path_of(other, outcome).stat().st_size
    store = Store.open(tmp_path / "store", create=True)
    before = files_of(store.folder)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    sizes = []
    try:
        for limit in (0, 100, size - 1):
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
            with pytest.raises(OSError, match="File too large"):
                store.put(outcome, (UTILISATION, P95))
            sizes.append(files_of(store.folder) == before)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert sizes == [True] * 3
    assert store.get(outcome.key, (UTILISATION,)) is None
    store.put(outcome, (UTILISATION, P95))
    assert store.get(outcome.key, (UTILISATION, P95)) == outcome
    assert json.loads(path_of(store, outcome).read_bytes())["run"]["seed"] == outcome.seed
