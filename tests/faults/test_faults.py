"""Is the earlier result or the new one there, whole, and is it said, when a system call fails?

`make faults` (ACKCLOCK_FAULTS=all) disturbs every call in every way; here, every call of a run and
some of the longer commands.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.process

HERE = Path(__file__).parent
ALL = os.environ.get("ACKCLOCK_FAULTS") == "all"

# Every so many calls, from a drawn one on (a fixed seed), is disturbed; a run is killed at every
# one.
EVERY = {
    "run": 5,
    "run anew": 17,
    "run without exchange": 11,
    "run in the current folder": 13,
    "run with report": 67,
    "compare": 61,
    "report": 7,
    "link-trace": 1,
    "sweep": 41,
    "sweep anew": 61,
    "study": 151,
}
KILLS = {"run": 20, "sweep": 5}
# No measure of speed: a machine that is busy with other things takes long, and a hang is a failure
# all the same.
PATIENCE_S = 7200 if ALL else 1200


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("no C compiler here, or no Linux: no call to the system can be made to fail")
    made = tmp_path_factory.mktemp("shim") / "shim.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O2", "-o", made, HERE / "shim.c", "-ldl"], check=True
    )
    return made


def tried(shim: Path, case: str, base: Path, *options: str) -> dict[str, Any]:
    # One thread each: a fork takes only the one that forks.
    alone = dict.fromkeys(("POLARS_MAX_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")
    done = subprocess.run(
        [sys.executable, HERE / "runner.py", case, base, *options],
        env={**os.environ, **alone, "LD_PRELOAD": str(shim)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    tally: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    print(f"{case}: {tally['calls']} calls, faults {tally['faults']}, {tally['outcomes']}")  # noqa: T201 - the figures of a campaign
    return tally


@pytest.mark.long
@pytest.mark.timeout(PATIENCE_S)
@pytest.mark.parametrize("case", EVERY)
def test_with_any_call_failing_the_earlier_result_or_the_new_one_is_there(
    case: str, shim: Path, tmp_path: Path
) -> None:
    every = [
        "--every",
        str(1 if ALL else EVERY[case]),
        *(["--kill-every", "1"] if case == "run" else []),
    ]
    tally = tried(shim, case, tmp_path / "base", *every)
    assert tally["calls"] > 5, "the shim saw next to nothing"
    assert sum(tally["faults"].values()) >= 5
    assert tally["wrong"] == [], "\n".join(tally["wrong"][:10])
    outcomes = " ".join(tally["outcomes"])
    assert "killed" in outcomes
    assert "status 0: new" in outcomes or "status 1" in outcomes


@pytest.mark.long
@pytest.mark.timeout(PATIENCE_S)
@pytest.mark.parametrize("case", KILLS)
def test_killed_at_a_random_moment_the_earlier_result_or_the_new_one_is_there(
    case: str, shim: Path, tmp_path: Path
) -> None:
    kills = KILLS[case] * (10 if ALL else 1)
    tally = tried(shim, case, tmp_path / "base", "--random", str(kills))
    assert sum(tally["faults"].values()) == kills
    assert tally["wrong"] == [], "\n".join(tally["wrong"][:10])
