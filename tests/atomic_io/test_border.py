"""Does nothing outside of a stranger's folder change, with anything planted in it?

A folder that came from elsewhere, with results in it, has links, pipes, folders and notes in the
places of ackclock's files. Beside the folder lie files of the user.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from ackclock.atomic_io.beneath import Folder
from ackclock.cli import main
from foreign_folder import DESIGN, GOLDEN

pytestmark = [
    pytest.mark.timeout(60),
    pytest.mark.skipif(os.name != "posix", reason="links and pipes are made as on POSIX"),
]

SCENARIO = """
name = "base"
duration = "500ms"
network = { kind = "dumbbell", bottleneck = { rate = "2Mbit/s", delay = "5ms" } }
flows = [{ name = "f", cc = "reno" }]
record = { samples = "50ms", decisions = ["f"] }
"""
STRANGE = ".ackclock-0123456789ab"

RUN = ("run", "base.toml", "-q", "--no-plots")
SWEEP = ("sweep", "design.toml", "-q", "--workers", "1")
COMPARE = ("compare", "base.toml", "-q", "--cc", "reno,cubic", "--dry-run")
REPORT = ("report", "runs/base", "-q")
PLOT = ("plot", "runs/base", "-q", "--only", "cwnd")
SHOW = ("show", "runs/base", "--json")
EXPLAIN = ("explain", "runs/base", "--flow", "f", "--at", "100ms")
OPEN = ("open", "base", "--print")
LATEST = ("open", "--print")
RUNS = ("runs",)
PRUNE = ("runs", "--prune", "--only", "base*", "--yes")
STATUS = ("sweep", "status", "runs/base-sweep")
SWEPT = ("sweep", "show", "runs/base-sweep", "--json")
LIVE = ("live", "base.toml", "--no-open", "--no-python")
TRACE = ("link-trace", "runs/base", "--out", "mine.trace", "-q")
TC = ("tc", "base.toml")
LOOKING = (SHOW, EXPLAIN, OPEN, RUNS, TRACE)
WRITING_ALL = (RUN, REPORT, PLOT)


def ackclock(*words: str) -> int:
    """Run a command in this process; its exit status."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    return int(ended.value.code or 0)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stranger's folder with results, and the user's files beside it."""
    top = tmp_path_factory.mktemp("made")
    folder, home = top / "stranger", top / "home"
    (home / "deep").mkdir(parents=True)
    (home / "thesis.tex").write_text("years")
    (home / "deep/thesis.tex").write_text("years")
    folder.mkdir()
    (folder / "base.toml").write_text(SCENARIO)
    (folder / "design.toml").write_text(DESIGN)
    here = Path.cwd()
    os.chdir(folder)
    try:
        assert ackclock("run", "base.toml", "-q") == 0
        assert ackclock(*PLOT) == 0
        assert ackclock(*SWEEP) == 0
    finally:
        os.chdir(here)
    for name in ("base", "base-sweep"):
        shutil.copytree(folder / "runs" / name, home / name)
    return top


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the stranger's folder, which is the current one."""
    shutil.copytree(made, tmp_path / "top", symlinks=True)
    monkeypatch.chdir(tmp_path / "top/stranger")
    return tmp_path / "top/stranger"


def state(folder: Path) -> dict[str, str]:
    """Every entry below a folder, with its content."""
    entries = {}
    for place, inner, names in os.walk(folder):
        for name in [*inner, *names]:
            path = Path(place, name)
            about = path.lstat()
            if path.is_symlink():
                what = f"link {path.readlink()}"
            elif path.is_dir():
                what = "folder"
            elif path.is_file():
                what = hashlib.sha256(path.read_bytes()).hexdigest()
            else:
                what = "other"
            entries[path.relative_to(folder).as_posix()] = f"{about.st_mode} {what}"
    return entries


def attempt(
    folder: Path, capsys: pytest.CaptureFixture[str], commands: Sequence[Sequence[str]]
) -> list[tuple[int, str]]:
    """Run commands; nothing beside the folder may change, and each says at most a line."""
    home = folder.parent / "home"
    before = state(home)
    outcomes = []
    for command in commands:
        status = ackclock(*command)
        said = capsys.readouterr().err
        assert status in {0, 1, 2}, f"{command}: {status}: {said}"
        assert "Traceback" not in said, f"{command}: {said}"
        assert "a defect" not in said, f"{command}: {said}"
        assert "Errno" not in said, f"{command}: {said}"
        assert status == 0 or said.count("\n") == 1, f"{command}: {said}"
        assert state(home) == before, f"{command}"
        outcomes.append((status, said))
    return outcomes


def link(path: Path, target: str) -> None:
    """Put a link in the place of an entry; `target` is relative to the user's folder."""
    remove(path)
    up = "../" * len(path.relative_to(Path.cwd()).parts)
    path.symlink_to(f"{up}home/{target}")


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@pytest.mark.parametrize("how", ["inside", "swap"])
@pytest.mark.parametrize("place", [".", "runs", "runs/base"])
def test_a_strangers_note_is_not_carried_out_and_stays(
    folder: Path, capsys: pytest.CaptureFixture[str], place: str, how: str
) -> None:
    strange = folder / place / STRANGE
    for inner in ("new/out", "new/inner", "old/out"):
        (strange / inner).mkdir(parents=True)
        (strange / inner / "thesis.tex").write_text("owned")
    link(folder / place / "out", "deep")
    if how == "inside":
        names = ["out/thesis.tex", "../../home/thesis.tex", "inner/thesis.tex"]
        note = {"how": how, "files": names, "stale": ["out/thesis.tex", "mine.txt", "base.toml"]}
    else:
        note = {"how": how, "name": "gone", "ours": ["out/thesis.tex"]}
    (strange / "commit.json").write_text(json.dumps(note))
    (folder / place / "mine.txt").write_text("mine")
    before = state(strange)
    scene = (*WRITING_ALL, SHOW, EXPLAIN, COMPARE, RUNS, OPEN, TC, LIVE, PRUNE)
    attempt(folder, capsys, scene)
    assert state(strange) == before
    assert (folder / place / "mine.txt").read_text() == "mine"
    assert not (folder / place / "inner").exists()
    assert not (folder / place / "gone").exists()


def test_a_run_goes_on_beside_a_strangers_note(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for place in (".", "runs", "runs/base"):
        (folder / place / STRANGE / "new").mkdir(parents=True)
        (folder / place / STRANGE / "new/summary.json").write_text("{}")
    before = [state(path) for path in sorted(folder.rglob(STRANGE))]
    outcomes = attempt(folder, capsys, [(*RUN, "--seed", "7"), SHOW, REPORT, SWEEP])
    assert [status for status, _ in outcomes] == [0, 0, 0, 0]
    assert [state(path) for path in sorted(folder.rglob(STRANGE))] == before


LINKS: dict[str, tuple[str, str, Sequence[Sequence[str]]]] = {
    "the report": ("runs/base/report.html", "thesis.tex", (REPORT, RUN, PRUNE)),
    "the report, to nothing": ("runs/base/report.html", "new", (REPORT, RUN, PRUNE)),
    "the figures": ("runs/base/plots", "deep", (PLOT, RUN, PRUNE)),
    "a figure": ("runs/base/plots/cwnd.svg", "thesis.tex", (PLOT, RUN, PRUNE)),
    "a figure, to nothing": ("runs/base/plots/cwnd.svg", "new", (PLOT,)),
    "the summary": ("runs/base/summary.json", "base/summary.json", (*WRITING_ALL, SHOW, EXPLAIN)),
    "the plan": ("runs/base/plan.json", "base/plan.json", (*WRITING_ALL, SHOW, EXPLAIN)),
    "a table": ("runs/base/flows.parquet", "base/flows.parquet", (*WRITING_ALL, SHOW)),
    "the samples": ("runs/base/samples", "base/samples", (*WRITING_ALL,)),
    "the list": ("runs/base/contents.json", "base/contents.json", (RUN, PRUNE)),
    "the run": ("runs/base", "base", (RUN,)),
    "the default folder": ("runs", ".", (RUN, SWEEP, COMPARE, RUNS, LATEST, OPEN, PRUNE)),
    "the sweep": ("runs/base-sweep", "base-sweep", (SWEEP,)),
    "the design": ("runs/base-sweep/sweep.toml", "base-sweep/sweep.toml", (SWEEP, SWEPT, STATUS)),
    "the figures of a sweep": ("runs/base-sweep/sweep.json", "base-sweep/sweep.json", (SWEPT,)),
    "the runs of a sweep": ("runs/base-sweep/runs", "base-sweep/runs", (SWEEP, STATUS)),
    "a store's mark": (
        "runs/base-sweep/runs/store.json",
        "base-sweep/runs/store.json",
        (SWEEP, STATUS, PRUNE),
    ),
    "a store's files": ("runs/base-sweep/runs/unfinished", "deep", (SWEEP, STATUS, PRUNE)),
    "a store's locks": ("runs/base-sweep/runs/claims", "new", (SWEEP, STATUS, PRUNE)),
    "the page of a scenario": ("live.html", "thesis.tex", (LIVE,)),
    "the page of a scenario, to nothing": ("live.html", "new", (LIVE,)),
}


@pytest.mark.parametrize("what", LINKS)
def test_a_link_in_the_place_of_a_file_of_ours_is_refused_in_a_line_that_names_it(
    folder: Path, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    name, target, commands = LINKS[what]
    link(folder / name, target)
    for command, (status, said) in zip(commands, attempt(folder, capsys, commands), strict=True):
        assert (folder / name).is_symlink(), f"{command}: the link is gone"
        if command is PRUNE and what not in {"the default folder"}:
            assert "stays" in said, f"{command}: {said}"
        else:
            assert status == 2, f"{command}: {status} {said}"
            assert Path(name).name in said, f"{command}: {said}"


def test_a_shelf_of_a_store_that_is_a_link_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = folder / "runs/base-sweep/runs"
    for shelf in "0123456789abcdef":
        link(store / shelf, "deep")
    outcomes = attempt(folder, capsys, [(*SWEEP, "--replications", "2"), STATUS])
    assert all(status in {1, 2} and "symbolic link" in said for status, said in outcomes)


def test_a_store_that_the_user_named_is_found_again_and_a_strangers_link_is_not(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shared = (*SWEEP, "--store", "../shared", "--out", "mine")
    mine = (*SWEEP, "--out", "mine", "--replications", "2")
    assert [status for status, _ in attempt(folder, capsys, [shared, mine])] == [0, 0]
    assert (folder / "mine/runs").is_symlink()
    assert not list((folder / "mine/runs").glob("../mine"))
    shutil.copytree(folder / "mine", folder / "copy", symlinks=True)
    copied = (*SWEEP, "--out", "copy")
    named = (*SWEEP, "--store", "../shared", "--out", "copy")
    outcomes = attempt(folder, capsys, [copied, ("sweep", "status", "copy"), named, copied])
    assert [status for status, _ in outcomes] == [2, 2, 0, 0]
    assert "--store" in outcomes[0][1]


def test_a_hard_link_is_replaced_and_the_users_file_stays(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    precious = folder.parent / "home/thesis.tex"
    for name in ("report.html", "plots/cwnd.svg", "summary.json", "contents.json"):
        remove(folder / "runs/base" / name)
        os.link(precious, folder / "runs/base" / name)
    attempt(folder, capsys, [REPORT, PLOT, RUN])
    shutil.copyfile(folder.parent / "home/base/summary.json", folder / "runs/base/copy")
    (folder / "runs/base/copy").replace(folder / "runs/base/summary.json")
    outcomes = attempt(folder, capsys, [REPORT, PLOT])
    assert [status for status, _ in outcomes] == [0, 0]


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir])
@pytest.mark.parametrize(
    ("name", "commands"),
    [
        ("runs/base/summary.json", (*LOOKING, *WRITING_ALL, PRUNE)),
        ("runs/base/contents.json", (RUN, PRUNE)),
        ("runs/base/report.html", (REPORT, RUN, LATEST)),
        ("runs/base/flows.parquet", (SHOW, REPORT)),
        ("runs/base-sweep/sweep.json", (SWEPT, STATUS, RUNS)),
        ("runs/base-sweep/sweep.toml", (SWEPT, STATUS, SWEEP)),
        ("runs/base-sweep/runs/store.json", (STATUS, SWEEP)),
        ("runs/base-sweep/runs/claims", (SWEEP, PRUNE)),
        ("base.toml", (RUN, TC, COMPARE)),
        ("runs/base/plots", (PLOT,)),
    ],
)
def test_a_pipe_or_a_folder_in_the_place_of_a_file_is_told_and_not_waited_for(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    make: Callable[[Path], None],
    name: str,
    commands: Sequence[Sequence[str]],
) -> None:
    remove(folder / name)
    make(folder / name)
    attempt(folder, capsys, commands)


@pytest.mark.parametrize("name", ["summary.json", "contents.json"])
def test_a_huge_file_in_the_place_of_a_small_one_is_not_read_whole(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    os.truncate(folder / "runs/base" / name, 2**40)
    attempt(folder, capsys, [SHOW, RUNS, PRUNE])


def test_a_strangers_list_of_files_deletes_no_file_of_the_users(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    base = folder / "runs/base"
    (base / "thesis.tex").write_text("years")
    listed = json.loads((base / "contents.json").read_text())
    listed["files"].append("thesis.tex")
    (base / "contents.json").write_text(json.dumps(listed))
    outcomes = attempt(folder, capsys, [RUN, PRUNE])
    assert "thesis.tex" in outcomes[0][1]
    assert "thesis.tex" in outcomes[1][1]
    monkeypatch.chdir(base)
    assert ackclock("run", "../../base.toml", "-q", "--no-plots", "--out", ".") == 2
    assert (base / "thesis.tex").read_text() == "years"


def test_a_recording_of_golden_cells_that_is_a_link_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "golden.toml").write_text(GOLDEN)
    link(folder / "golden.recorded.toml", "thesis.tex")
    (folder.parent / "home/thesis.tex").write_text("s3cret = word\n")
    commands = [("test", "golden.toml", "--record", "--seeds", "2"), ("test", "golden.toml")]
    for status, said in attempt(folder, capsys, commands):
        assert status in {1, 2}
        assert "'golden.recorded.toml' is a symbolic link" in said
        assert "s3cret" not in said


@pytest.mark.parametrize(
    "command",
    [
        ("study", "all", "-q"),
        ("evaluate", "reno", "--only", "E01", "--quick", "-q"),
        ("size", "--rate", "2Mbit/s", "--rtt", "20ms", "--cc", "reno"),
        ("standard", "rrul", "-q", "--rtt", "20ms"),
        ("demo", "-q"),
        ("test", "golden.toml"),
        ("study", "diff", "a", "b"),
        ("study", "export", "a", "--format", "csv"),
        ("linux", "base.toml", "-q"),
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_a_default_folder_that_is_a_link_is_refused_by_every_command(
    folder: Path, capsys: pytest.CaptureFixture[str], command: Sequence[str]
) -> None:
    (folder / "golden.toml").write_text(GOLDEN)
    link(folder / "runs", ".")
    ((status, said),) = attempt(folder, capsys, [command])
    assert status == 2, said
    assert "'runs' is a symbolic link" in said or command[0] == "linux"


def test_copied_examples_and_new_files_do_not_go_through_links(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "copies").mkdir()
    link(folder / "copies/reno-one-flow.toml", "thesis.tex")
    link(folder / "copies/mine.py", "new")
    outcomes = attempt(
        folder,
        capsys,
        [
            ("examples", "copy", "reno-one-flow", "--to", "copies", "--force"),
            ("new", "mine", "--dir", "copies"),
        ],
    )
    assert all(status in {1, 2} for status, _ in outcomes)


def test_a_folder_that_the_user_names_through_a_link_is_fine(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "disk").mkdir()
    (folder / "results").symlink_to("disk", target_is_directory=True)
    out = (*RUN, "--out", "results/base")
    commands = [out, out, ("show", "results/base", "--json"), ("report", "results/base", "-q")]
    commands += [("plot", "results/base", "-q", "--only", "cwnd"), ("runs", "results")]
    commands += [("runs", "results", "--prune", "--only", "base", "--yes")]
    assert [status for status, _ in attempt(folder, capsys, commands)] == [0] * len(commands)


@pytest.mark.parametrize(
    "scenario",
    [
        SCENARIO.replace('"2Mbit/s"', '{ trace = "../home/key" }'),
        SCENARIO.replace('"2Mbit/s"', '{ trace = "near" }'),
        SCENARIO.replace("cc =", 'app = { kind = "short-flows", size = "cdf(near)" }, cc ='),
        'sweep = { folder = "../home", responses = ["goodput"] }\n'
        + SCENARIO.replace('"2Mbit/s"', '{ trace = "key" }'),
        'sweep = { scenario = "near" }',
    ],
    ids=["trace", "trace by a link", "cdf", "folder of a sweep", "scenario of a sweep"],
)
def test_nothing_of_a_file_elsewhere_is_shown(
    folder: Path, capsys: pytest.CaptureFixture[str], scenario: str
) -> None:
    (folder.parent / "home/key").write_text("s3cret = word\ns3cret\n")
    (folder / "near").symlink_to("../home/key")
    (folder / "base.toml").write_text(scenario)
    for status, said in attempt(folder, capsys, [RUN, ("sweep", "base.toml", "-q"), TC]):
        assert status == 2
        assert "s3cret" not in said
        assert "outside" in said


@pytest.mark.parametrize(
    "content",
    [
        "s3cret = word\ns3cret\n",
        "s3cret = 5\n",
        SCENARIO.replace("500ms", "s3cret"),
        SCENARIO.replace('"reno"', '"s3cret"'),
        SCENARIO.replace('"2Mbit/s"', '{ trace = "s3cret.txt" }'),
    ],
    ids=["no TOML", "key", "value", "algorithm", "trace beside it"],
)
@pytest.mark.parametrize("name", ["../home/key.toml", "near.toml"])
@pytest.mark.parametrize(
    "naming",
    [
        GOLDEN.replace("base.toml", "NAME"),
        GOLDEN.replace("base.toml", "NAME") + 'set = { "flows.cc" = "no-such" }',
        DESIGN.replace("base.toml", "NAME"),
    ],
    ids=["golden", "golden with a change", "sweep"],
)
def test_nothing_of_a_scenario_elsewhere_that_a_file_names_is_shown(
    folder: Path, capsys: pytest.CaptureFixture[str], naming: str, name: str, content: str
) -> None:
    (folder.parent / "home/key.toml").write_text(content)
    (folder.parent / "home/s3cret.txt").write_text("s3cret\n")
    (folder / "near.toml").symlink_to("../home/key.toml")
    (folder / "naming.toml").write_text(naming.replace("NAME", name))
    word = "test" if naming.startswith("\n[[cells]]") else "sweep"
    ((status, said),) = attempt(folder, capsys, [(word, "naming.toml", "-q")])
    assert status == 2
    assert "s3cret" not in said
    assert "outside" in said


def test_a_scenario_in_the_own_folder_is_quoted_and_one_that_the_user_names_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "near.toml").write_text(SCENARIO.replace("500ms", "soon"))
    (folder / "golden.toml").write_text(GOLDEN.replace("base.toml", "near.toml"))
    ((_, said),) = attempt(folder, capsys, [("test", "golden.toml", "-q")])
    assert "'soon'" in said
    home = folder.parent / "home"
    (home / "near.txt").write_text("12 ms\n")
    (home / "near.toml").write_text(SCENARIO.replace('"2Mbit/s"', '{ trace = "near.txt" }'))
    (folder / "golden.toml").write_text(GOLDEN.replace("base.toml", "../home/near.toml"))
    assert ackclock("test", "golden.toml", "-q") == 2
    assert "12 ms" not in capsys.readouterr().err
    assert ackclock("run", "../home/near.toml", "-q") == 2
    assert "'12 ms'" in capsys.readouterr().err


def test_the_content_of_a_file_in_the_scenarios_folder_is_shown(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "near").write_text("12 ms\n")
    (folder / "base.toml").write_text(SCENARIO.replace('"2Mbit/s"', '{ trace = "near" }'))
    ((_, said),) = attempt(folder, capsys, [RUN])
    assert "'12 ms'" in said


@pytest.mark.parametrize("name", ["/dev/zero", "pipe"])
def test_a_device_or_a_pipe_as_a_trace_is_refused_at_once(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    os.mkfifo(folder / "pipe")
    for scenario in (
        SCENARIO.replace('"2Mbit/s"', f'{{ trace = "{name}" }}'),
        SCENARIO.replace("cc =", f'app = {{ kind = "short-flows", size = "cdf({name})" }}, cc ='),
        f'sweep = {{ scenario = "{name}" }}',
    ):
        (folder / "base.toml").write_text(scenario)
        assert [status for status, _ in attempt(folder, capsys, [RUN])] == [2]
    assert [status for status, _ in attempt(folder, capsys, [("pcap", name)])] == [2]


@pytest.mark.parametrize("what", ["folder", "file", "lock"])
def test_what_becomes_a_link_after_it_was_looked_at_is_not_followed(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look and the opening, somebody else can put a link in the entry's place."""
    for place in ("inside", "outside"):
        (tmp_path / place / "deep").mkdir(parents=True)
        (tmp_path / place / "deep/file").write_text(place, encoding="utf-8")
    swapped = tmp_path / "inside" / ("deep" if what == "folder" else "deep/file")
    target = tmp_path / "outside" / swapped.relative_to(tmp_path / "inside")
    real = os.open

    def swapping(name: str, *more: Any, **options: Any) -> int:
        if name == swapped.name and not swapped.is_symlink():
            swapped.rename(tmp_path / "moved")
            swapped.symlink_to(target)
        return real(name, *more, **options)

    def opening(folder: Folder) -> None:
        if what != "lock":
            folder.open_file("deep/file").close()
            return
        with folder.within("deep") as deep:
            os.close(deep.open_lock("file"))

    monkeypatch.setattr(os, "open", swapping)
    with Folder.open(tmp_path / "inside") as opened, pytest.raises(OSError, match=r"link|loop|dir"):
        opening(opened)
    assert swapped.is_symlink()
