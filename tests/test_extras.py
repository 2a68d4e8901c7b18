"""Without the optional packages: everything else runs, and what needs one says which."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ackclock.runtime.extras import EXTRAS, MissingExtraError, importing, is_installed, require
from small_study import write_study

SCENARIO = """
name = "short"
duration = "2s"
[network]
kind = "dumbbell"
bottleneck = { rate = "5Mbit/s", delay = "10ms", limit = "20 packets" }
[[flows]]
name = "f"
cc = "reno"
start = "uniform(0s, 100ms)"
[compare]
cc = ["reno", "cubic"]
"""

SWEEP = """
[sweep]
replications = 12
responses = ["utilisation", "retransmit_rate"]
[[sweep.axes]]
"network.bottleneck.limit" = ["5 packets", "20 packets"]
"""


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a scenario, a sweep's results and a run's, all made without an extra."""
    folder = tmp_path_factory.mktemp("bare")
    site = folder / "site"
    site.mkdir()
    blocked = [*(extra.module for extra in EXTRAS.values()), "dask", "pandas", "pyarrow"]
    (site / "sitecustomize.py").write_text(
        f"import sys\nfor name in {blocked!r}:\n    sys.modules[name] = None\n", encoding="utf-8"
    )
    (folder / "short.toml").write_text(SCENARIO, encoding="utf-8")
    (folder / "sweep.toml").write_text(SCENARIO + SWEEP, encoding="utf-8")
    (folder / "film.mp4").write_bytes(b"\x00\x00\x00\x20ftypisom" + bytes(1000))
    write_study(folder, name="study.py")
    return folder


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder / "site"), "COLUMNS": "100"}
    return subprocess.run(
        [sys.executable, "-m", "ackclock", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.long
def test_what_users_do_first_needs_no_extra(bare: Path) -> None:
    for arguments in (
        ["run", "short.toml"],
        ["compare", "short.toml", "--seeds", "3"],
        ["sweep", "sweep.toml", "--out", "runs/sweep"],
        ["sweep", "show", "runs/sweep"],
        ["sweep", "show", "runs/sweep", "--kind", "line"],
        ["report", "runs/short"],
        ["list", "cc"],
        ["schema"],
        ["run", "short.toml", "--dry-run"],
        ["study", "list"],
        ["examples"],
        ["theory", "reno_utilisation", "--buffer-bdp", "0.25"],
        ["theory", "htcp_window", "--loss-rate", "1e-4", "--rtt", "50ms"],
        ["validate", "--help"],
    ):
        done = run(bare, *arguments)
        assert done.returncode == 0, (arguments, done.stderr)
    assert (bare / "runs/sweep/report.html").is_file()
    done = run(bare, "compare", "short.toml", "--seeds", "3")
    assert f"plots/ is left out: {MissingExtraError('plots')}" in done.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    ("extra", "arguments"),
    [
        ("plots", ["plot", "runs/short"]),
        ("plots", ["sweep", "show", "runs/sweep", "--plot", "figure.svg"]),
        ("plots", ["theory", "reno_utilisation", "--buffer-bdp", "0.1,0.5", "--plot", "f.svg"]),
        ("plots", ["study", "study.py", "--quick"]),
        ("plots", ["study", "cos-slow-start", "--quick"]),
        ("plots", ["evaluate", "cubic", "--only", "E06"]),
        (
            "science",
            [
                "theory",
                "westwood_window",
                "--loss-rate",
                "1e-4",
                "--bdp",
                "100",
                "--random",
                "true",
            ],
        ),
        ("video", ["video-trace", "film.mp4"]),
        ("dask", ["compare", "short.toml", "--dask", "tcp://127.0.0.1:1", "--out", "runs/dask"]),
    ],
)
def test_a_missing_package_is_one_line_that_says_how_to_get_it(
    bare: Path, extra: str, arguments: list[str]
) -> None:
    if arguments[0] in {"plot", "sweep"} and not (bare / "runs/sweep").exists():
        run(bare, "run", "short.toml")
        run(bare, "sweep", "sweep.toml", "--out", "runs/sweep")
    before = {path for path in bare.rglob("*") if "__pycache__" not in path.parts}
    done = run(bare, *arguments)
    assert done.returncode == 2, done.stderr
    assert done.stderr == f"{MissingExtraError(extra)}\n"
    after = {path for path in bare.rglob("*") if "__pycache__" not in path.parts}
    assert after == before, "nothing half-written"


def test_python_raises_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_installed("science")
    require("science", "plots")
    monkeypatch.setitem(sys.modules, "scipy", None)
    assert not is_installed("science")
    with pytest.raises(MissingExtraError, match=r"need scipy, .*: pip install 'ackclock\[science"):
        require("plots", "science")
    with pytest.raises(ImportError) as error, importing("science"):
        import scipy.special  # noqa: F401
    assert isinstance(error.value, MissingExtraError)
    assert error.value.extra == "science"


def test_another_missing_module_is_not_taken_for_an_extra() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_module"), importing("plots"):
        import no_such_module  # type: ignore[import-not-found]  # noqa: F401
