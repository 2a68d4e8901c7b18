"""Our files of expectations are well-formed; a fault in one is named."""

import re
from pathlib import Path

import pytest

from ackclock.packetdrill.expectations import ExpectationsError, read_expectations
from ackclock.packetdrill.host import base_host
from ackclock.packetdrill.transcript import read_transcript

FOLDER = Path(__file__).parents[2] / "validation" / "packetdrill"
TRANSCRIPTS = Path(__file__).parents[2] / "crates/packetdrill/tests/transcripts"
SUITES = ["google.toml", "freebsd.toml"]


def test_every_file_is_tested_here() -> None:
    assert {path.name for path in FOLDER.glob("*.toml")} == {*SUITES, "transcripts.toml"}


@pytest.mark.parametrize("name", SUITES)
def test_a_suites_file_says_which_scripts_of_which_commit(name: str) -> None:
    expectations = read_expectations(FOLDER / name)
    assert re.fullmatch(r"[0-9a-f]{40}", expectations.commit)
    assert expectations.repository.startswith("https://")
    assert expectations.folder
    assert expectations.known
    assert all(re.fullmatch(r"[\w-]+/[\w-]+\.pkt", script) for script in expectations.known)
    base_host(expectations.profile or "linux", expectations.settings)


def test_transcripts_that_the_kernel_does_otherwise_exist_and_can_be_asked_about() -> None:
    known = read_expectations(FOLDER / "transcripts.toml").known
    for name in known:
        assert read_transcript(TRANSCRIPTS / f"{name}.pkt").script.refusal is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[known", "is not TOML"),
        ("[unknown]\n", "'unknown': only the tables suite and known are allowed"),
        (
            "[suite]\ncommitt = 'x'\n",
            "suite.committ: only commit, folder, profile, repository, settings are allowed",
        ),
        ("[suite]\ncommit = 3\n", "suite.commit = 3: a text"),
        ("[suite]\nsettings = ['x']\n", "suite.settings = ['x']: a list of texts such as"),
        (
            "[known.'a/b.pkt']\nright = 'me'\nwhy = 'x'\n",
            "known.\"a/b.pkt\".right = 'me': one of ackclock, script, kernel, both, neither",
        ),
        (
            "[known.'a/b.pkt']\nright = 'script'\n",
            'known."a/b.pkt".why = None: a text that says why',
        ),
        ("[known]\n'a/b.pkt' = 1\n", 'known."a/b.pkt" = 1: a table'),
    ],
)
def test_what_is_wrong_is_said_with_file_and_key(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "expect.toml"
    file.write_text(text)
    with pytest.raises(ExpectationsError) as problem:
        read_expectations(file)
    assert str(file) in str(problem.value)
    assert says in str(problem.value)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(ExpectationsError, match="there is no such file"):
        read_expectations(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("name", "row"),
    [("google.toml", "google/packetdrill"), ("freebsd.toml", "freebsd-net/tcp-testsuite")],
)
def test_the_pages_figures_are_those_of_the_expectations(name: str, row: str) -> None:
    page = (FOLDER.parents[1] / "docs" / "packetdrill.md").read_text()
    expectations = read_expectations(FOLDER / name)
    line = next(line for line in page.splitlines() if line.startswith(f"| {row}"))
    assert expectations.commit[:7] in line
    _, applicable, passed, failed, known = (int(cell) for cell in line.strip("| ").split("|")[1:])
    assert (failed, known) == (0, len(expectations.known))
    assert applicable == passed + known
