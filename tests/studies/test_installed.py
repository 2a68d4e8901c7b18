"""Studies that other packages bring: found by their entry points once they are installed."""

from collections.abc import Callable
from pathlib import Path

import pytest

import ackclock.studies.registered
from ackclock.cli import main
from ackclock.errors import UnknownNameError
from ackclock.studies import StudyError, find_study, run_study, studies
from ackclock.studies.tools.finding import find, is_installed
from ackclock.studies.tools.owning import own_files
from small_study import working_in, write_study

Install = Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Writes a made-up distribution and puts it on Python's path."""

    def write(owner: str = "somebodys", *, name: str = "small", module: str = "theirs") -> Path:
        site = tmp_path / owner
        write_study(site / module, name="__init__.py")
        about = site / f"{owner}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {owner}\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[ackclock.studies]\n{name} = {module}:STUDY\n")
        monkeypatch.syspath_prepend(str(site))
        return site / module

    with working_in(tmp_path, monkeypatch):
        yield write  # type: ignore[misc]


def test_a_study_of_another_package_is_one_like_ours(install: Install) -> None:
    folder = install()
    assert "small" in studies()
    study = find("small")
    assert (study.name, study.folder) == ("small", folder)
    assert is_installed(study)
    assert own_files(study).files == {}, "its code stays where it is installed"
    assert set(run_study("small", quick=True, claims=["S-1"]).verdicts) == {"S-1"}


def test_a_name_that_two_packages_register(install: Install) -> None:
    install()
    install("others", module="others_module")
    with pytest.raises(StudyError, match=r"two packages register a study 'small' \(.*:STUDY and"):
        find_study("small")


def test_a_package_that_registers_something_else(install: Install) -> None:
    install(name="smaller")
    with pytest.raises(StudyError, match=r"somebodys registers the study 'smaller' .* 'small'$"):
        find_study("smaller")
    (install("broken", name="broken", module="breaks") / "__init__.py").write_text("1 / 0\n")
    with pytest.raises(StudyError, match="breaks:STUDY, which raised ZeroDivisionError: division"):
        find_study("broken")


def status(*words: str) -> object:
    with pytest.raises(SystemExit) as stopped:
        main(words)
    return stopped.value.code


def test_without_the_papers_a_line_says_how_to_get_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ackclock.studies.registered, "entries", dict)
    with pytest.raises(UnknownNameError, match=r"no studies are installed: .*install it again"):
        find_study("cos-slow-start")
    assert status("study", "list") == 0
    assert "install it again" in capsys.readouterr().err
    assert status("study", "cos-slow-start") == 2
    assert "install it again" in capsys.readouterr().err
    assert status("study", "all") == 2
    assert capsys.readouterr().err.count("\n") == 1
