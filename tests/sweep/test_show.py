"""`ackclock sweep show` and `status`, examples and the guide: all that they say runs."""

import json
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import ackclock as ac
from ackclock.cli import main
from ackclock.cli.sweep_show import KINDS
from ackclock.plot.sweep import KINDS as DRAWN
from ackclock.sweeps import design_of

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "scenarios/sweeps").glob("*.toml"))
GUIDE = (ROOT / "docs/sweeps.md").read_text(encoding="utf-8")

Capture = pytest.CaptureFixture[str]


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)


def run(line: str) -> object:
    program, *arguments = (part.strip('"') for part in re.findall(r'(?:[^\s"]|"[^"]*")+', line))
    assert program == "ackclock"
    with pytest.raises(SystemExit) as stopped:
        main([argument.replace('"', "") for argument in arguments])
    return stopped.value.code


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the guide's sweep has been run."""
    where = tmp_path_factory.mktemp("guide")
    (where / "buffers.toml").write_text(blocks("toml")[0], encoding="utf-8")
    before = Path.cwd()
    os.chdir(where)
    os.environ["COLUMNS"] = "100"
    try:
        assert (
            run(
                "ackclock sweep buffers.toml --set duration=8s --set warmup=2s --replications 5 "
                "--quiet"
            )
            == 0
        )
        yield where
    finally:
        os.chdir(before)
        del os.environ["COLUMNS"]


@pytest.mark.long
def test_the_guides_own_sweep_runs_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (tmp_path / "buffers.toml").write_text(blocks("toml")[0], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for line in blocks("sh")[0].splitlines():
        assert run(line) == 0, line
    shown = capsys.readouterr().out
    assert "buffers: complete; 48 of 48 runs are there (100 %)" in shown
    assert "responses: utilisation, queue_delay.p95; results version" in shown
    assert "utilisation: cubic against reno" in shown


@pytest.mark.long
def test_every_view_of_the_guide_is_there(folder: Path, capsys: Capture) -> None:
    lines = blocks("sh")[1].splitlines()
    assert len(lines) == 6
    for line in lines:
        capsys.readouterr()
        assert run(line) == 0, line
        assert capsys.readouterr().out
    for name in ("distribution.svg", "throughput-delay.pdf", "by-limit.png"):
        assert (folder / name).stat().st_size > 5000


@pytest.mark.long
def test_the_guides_tables_are_toml_and_its_python_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in blocks("toml"):
        tomllib.loads(text)
    monkeypatch.chdir(tmp_path)
    text = blocks("python")[0].replace('duration="10s"', 'duration="4s"')
    exec(compile(text, "docs/sweeps.md", "exec"), {})
    assert (tmp_path / "utilisation.pdf").exists()
    assert (tmp_path / "runs/from-python/report.html").exists()


@pytest.mark.long
def test_the_guide_names_every_example_every_kind_and_every_file(folder: Path) -> None:
    assert set(re.findall(r"scenarios/sweeps/([\w-]+\.toml)", GUIDE)) == {
        path.name for path in EXAMPLES
    }
    assert set(KINDS) == set(DRAWN)
    for kind in KINDS:
        assert f"`{kind}`" in GUIDE
    table = GUIDE[GUIDE.index("## The folder") :]
    for entry in (folder / "runs/buffers-sweep").iterdir():
        assert f"`{entry.name}" in table, entry.name
    [columns, store] = re.search(r"SELECT ([^']+) FROM '([^']+)'", GUIDE).groups()
    with duckdb.connect() as database:
        assert len(database.execute(f"select {columns} from '{folder / store}'").fetchall()) == 40


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_a_sweep_of_a_minute_at_most(path: Path) -> None:
    design = design_of(ac.load(path))
    estimate = design.estimate()
    assert estimate.settings >= 3
    assert estimate.runs >= 30
    assert estimate.seconds_on(2) < 60
    for command in re.findall(
        r"^# +(ackclock .*)$", path.read_text(encoding="utf-8"), re.MULTILINE
    ):
        assert path.stem in command


@pytest.mark.long
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_cut_short_leaves_what_the_guide_promises(
    path: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "out"
    changes = "--set duration=3s --set warmup=1s --replications 2"
    if "[sweep.stop]" in path.read_text(encoding="utf-8"):
        changes = changes.replace("--replications 2", "--replications 2 --set sweep.stop.most=2")
    assert run(f"ackclock sweep {path} --out {out} {changes}") == 0
    assert "intervals over seeds" in capsys.readouterr().out
    assert list((out / "plots").glob("*-line.svg"))
    assert "<h2>Question</h2>" in (out / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--response utilization", "did you mean 'utilisation'"),
        ("--x limits", "did you mean 'limit'"),
        ("--at limit", "--at: 'limit' is not AXIS=VALUE"),
        ('--at "limit=5 packet"', "did you mean '5 packets'"),
        ("--plot figure.gif", "written as .svg, .pdf, .png or .pgf"),
        ("--plot nowhere/figure.svg", "there is no folder 'nowhere'"),
        ("--kind pie", "'pie' is not one of"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_show_cannot_do_is_told_in_a_line(options: str, message: str, capsys: Capture) -> None:
    assert run(f"ackclock sweep show runs/buffers-sweep {options}") == 2
    text = capsys.readouterr().err
    assert message in text
    assert "Traceback" not in text


def test_status_tells_what_is_missing_and_how_to_go_on(folder: Path, capsys: Capture) -> None:
    where = folder / "runs/buffers-sweep"
    victim = next((where / "runs").glob("*/*.json"))
    kept = victim.read_bytes()
    victim.unlink()
    try:
        assert run("ackclock sweep status runs/buffers-sweep") == 0
        text = capsys.readouterr().out
        assert "not finished; 39 of 40 runs are there" in text
        assert "ackclock sweep runs/buffers-sweep/sweep.toml --out runs/buffers-sweep" in text
        assert run("ackclock sweep status runs/buffers-sweep --json") == 0
        assert json.loads(capsys.readouterr().out)["missing"] == 1
    finally:
        victim.write_bytes(kept)


@pytest.mark.usefixtures("folder")
def test_a_report_of_a_sweep_is_written_anew(capsys: Capture) -> None:
    assert run("ackclock report runs/buffers-sweep --out again.html") == 0
    assert "utilisation" in capsys.readouterr().out
    assert Path("again.html").read_bytes() == Path("runs/buffers-sweep/report.html").read_bytes()
