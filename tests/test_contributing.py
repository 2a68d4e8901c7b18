"""CONTRIBUTING.md's walks to the letter: each file written, line added and command run."""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import polars as pl
import pytest

from ackclock.templates import RUST_KINDS, write_in_rust
from scripts import ROOT, ackclock_command

pytestmark = pytest.mark.slow

# Always the same place: cargo builds a copy at another path from the beginning.
COPY = ROOT / "target/contributing"
# Not the repository's own: cargo takes the two packages for one, and what was built of either for
# the other.
BUILD = ROOT / "target/contributing-build"

CATALOGUE = """//! Is what the walk registered in the catalogue, and does it compose?

#[test]
fn the_catalogue_lists_it() {
    let mut catalogue = ackclock_cc::registry::catalogue().iter();
    let entry = catalogue.find(|entry| entry.name == "gentle").expect("an entry");
    assert_eq!((entry.role(), entry.parameters.len()), ("avoidance", 1));
    assert!(ackclock_cc::registry::check("cos+gentle(cut=0.1)").is_ok());
}
"""


def walk(title: str) -> str:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    match = re.search(rf"^## {re.escape(title)}\n(.*?)^## ", text, re.DOTALL | re.MULTILINE)
    assert match, f"CONTRIBUTING.md has no section '{title}'"
    return match[1]


def write_files(section: str, folder: Path) -> list[str]:
    """The step "Write `FILE`" is followed by the file in a code block."""
    files = re.findall(
        r"^\d+\. Write `([^`]+)`.*?```(?:rust|python|toml)\n(.*?)^ *```$",
        section,
        re.DOTALL | re.MULTILINE,
    )
    for name, text in files:
        (folder / name).write_text(textwrap.dedent(text), encoding="utf-8")
    return [name for name, _ in files]


def rows_of(section: str) -> list[tuple[str, str, str]]:
    """The rows of the table: a line, its file, the line above it."""
    return re.findall(r"^ *\| `([^`]+)` \| `([^`]+)` \| `([^`]+)` \|$", section, re.MULTILINE)


def add_line(line: str, file: Path, above: str) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    [at] = [index for index, known in enumerate(lines) if known.strip() == above]
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    lines.insert(at + 1, indent + line)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def commands(section: str) -> list[list[str]]:
    blocks = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    return [line.split() for block in blocks for line in block.splitlines() if line.strip()]


KNOWN = """
import sys
sys.path.insert(0, sys.argv[1])
import ackclock as ac
from ackclock.catalogue import algorithms
from ackclock.catalogue import disciplines
from ackclock import _core
from ackclock.scenario.randomness import chance_of
from ackclock.cli.list_command import rows_of
from ackclock.scenario.tc import commands_of

assert ac.__file__.startswith(sys.argv[1]), ac.__file__
queue = {"kind": "coin", "p": 0.01}
scenario = ac.dumbbell(
    rate="10Mbit/s", rtt="40ms", qdisc=queue, flows=[ac.flow("gentle")], duration="20s"
)
drawing = chance_of(scenario).sources
assert drawing and all(source.startswith("coin, which draws, on") for source in drawing), drawing
assert not chance_of(scenario.replace({"network.bottleneck.qdisc": "fifo"})).sources
assert disciplines.traits()["coin"]["judges_arrivals"]
assert algorithms.share("gentle(cut=0.1)") == 0.9
assert {row["name"] for kind in ("cc", "qdisc") for row in rows_of(kind)} >= {"coin", "gentle"}
assert ac.estimate(scenario).seconds > 0
first = ac.run(scenario, seed=1).diagnosis["flow1"]["limits"][0]
assert first["key"].startswith("network.bottleneck"), first
lossy = scenario.replace({"network.bottleneck.qdisc": "fifo", "network.bottleneck.loss": "0.5%"})
sentence = ac.run(lossy, seed=1).diagnosis["flow1"]["limits"][0]["sentence"]
assert "Ott et al. 1996" in sentence, sentence
[link] = [link for link in scenario.plan()["links"] if link["name"] == "bottleneck"]
assert "tc has no queue that drops at random." in commands_of(link, 1500).notes
"""


def test_the_walk_in_python(tmp_path: Path) -> None:
    section = walk("A congestion control in Python")
    assert write_files(section, tmp_path) == ["gentle.py", "gentle.toml"]
    for program, *arguments in commands(section):
        assert program == "ackclock"
        ackclock_command(*arguments, cwd=tmp_path, check=True)
    table = pl.read_parquet(tmp_path / "runs/gentle-comparison/responses.parquet")
    used = dict(table.select("variant", "mean").iter_rows())
    assert list(used) == ["reno", "Gentle", "hystart+Gentle(cut=0.1)"]
    assert used["reno"] < used["Gentle"] < used["hystart+Gentle(cut=0.1)"], (
        "the smaller the cut, the less of the link stays unused"
    )


def begin_in_rust(kind: str) -> str:
    """Begin an algorithm of a kind in the copy, as `ackclock new --rust` does, and register it."""
    # rustfmt breaks lines by the length of a name: that of these fits.
    name = f"begun{kind[:3]}"
    files, lines = write_in_rust(name, COPY, kind)
    for line in lines:
        add_line(line.text, COPY / line.file, line.below)
    formatted = ["rustfmt", "--check", "--edition", "2024", "--config-path", str(ROOT), *files]
    assert subprocess.run(formatted, check=False, capture_output=True).returncode == 0
    return name


def copied(*folders: str) -> dict[Path, int]:
    """Copy folders of the sources; return the times of all files."""
    shutil.rmtree(COPY, ignore_errors=True)
    compiled = shutil.ignore_patterns("*.so", "__pycache__")
    for name in folders:
        shutil.copytree(ROOT / name, COPY / name, ignore=compiled)
    for name in ("Cargo.toml", "Cargo.lock", "README.md"):
        shutil.copy2(ROOT / name, COPY / name)
    return {path: path.stat().st_mtime_ns for path in COPY.rglob("*")}


def follow(section: str, *, files: int, lines: int) -> None:
    """Write the files of a walk into the copy and add its lines."""
    assert len(write_files(section, COPY)) == files
    rows = rows_of(section)
    assert len(rows) == lines
    for line, file, above in rows:
        add_line(line, COPY / file, above)


def keep_old(before: dict[Path, int]) -> None:
    """Make all that the walks wrote as old as the walks: a second one has nothing to build."""
    # Cargo goes by the files' times.
    age = max(path.stat().st_mtime_ns for path in (ROOT / "CONTRIBUTING.md", Path(__file__)))
    for path in COPY.rglob("*.rs"):
        if path.stat().st_mtime_ns != before.get(path):
            os.utime(path, ns=(age, max(age, before.get(path, 0))))


# The first build of the copy takes a minute or so.
@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.skipif(shutil.which("cargo") is None, reason="needs a Rust toolchain")
def test_the_walk_in_rust() -> None:
    section, before = walk("A congestion control in Rust"), copied("crates")
    follow(section, files=2, lines=3)
    (COPY / "crates/cc/tests/the_walk.rs").write_text(CATALOGUE, encoding="utf-8")
    keep_old(before)
    asked = commands(section)
    assert [command[:4] for command in asked] == [["cargo", "test", "-p", "ackclock-cc"]] * 2
    begun = [begin_in_rust(kind) for kind in RUST_KINDS]
    for command in [
        *asked,
        *([*asked[0][:4], name] for name in ("the_catalogue_lists_it", *begun)),
    ]:
        done = subprocess.run(
            [*command, "--locked"],
            cwd=COPY,
            env=os.environ
            | {
                "CARGO_TARGET_DIR": str(BUILD),
                # Three tests of seconds need no fast code: most of the time is compiling.
                "CARGO_PROFILE_TEST_OPT_LEVEL": "0",
                "CARGO_PROFILE_TEST_DEBUG": "false",
                "PROPTEST_RNG_SEED": "1",
            },
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert re.search(r"test result: ok\. [1-9]\d* passed", done.stdout), done.stdout


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.skipif(shutil.which("cargo") is None, reason="needs a Rust toolchain")
def test_what_the_walks_add_is_known_to_every_reader() -> None:
    """Seeds, advice, closed forms, lists, types, the page and tc, from the files of two walks."""
    before = copied("crates", "python", "scenarios", "tools/border", "web/src")
    follow(walk("A congestion control in Rust"), files=2, lines=3)
    follow(walk("A queue discipline"), files=2, lines=5)
    keep_old(before)
    building = os.environ | {
        "CARGO_TARGET_DIR": str(BUILD),
        "CARGO_PROFILE_DEV_DEBUG": "false",
        "PYO3_BUILD_EXTENSION_MODULE": "1",
    }
    running = os.environ | {"PYTHONPATH": str(COPY / "python")}
    core = COPY / "python/ackclock/_core.abi3.so"

    def done(*command: str, env: dict[str, str]) -> None:
        ended = subprocess.run(
            command, cwd=COPY, env=env, check=False, capture_output=True, text=True
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr

    done("cargo", "build", "--locked", "-p", "ackclock-py", env=building)
    shutil.copy2(BUILD / "debug/libackclock_core.so", core)
    done(sys.executable, "-c", KNOWN, str(COPY / "python"), env=running)
    done(sys.executable, "tools/border", env=running)
    page = (COPY / "web/src/traits.ts").read_text(encoding="utf-8")
    assert '"gentle": {' in page
    assert '"coin": {' in page
    assert '"coin"' in (COPY / "python/ackclock/core_types/plan.py").read_text(encoding="utf-8")
    test = ("cargo", "test", "--locked", "-p", "ackclock-sim", "--test", "simulator", "traits")
    done(*test, env=building)
