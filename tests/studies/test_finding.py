"""A study's word on the command line: a name, a file, a module, or a mistake."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ackclock.studies.tools.finding import StudyError, find, is_installed, module_of
from small_study import STUDY, working_in, write_study


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with working_in(tmp_path, monkeypatch):
        yield tmp_path


def test_a_file_brings_its_study_and_a_name_ours() -> None:
    study = find(str(write_study(Path())))
    assert study.name == "small"
    assert not is_installed(study)
    ours = find("cos-slow-start")
    assert ours.name == "cos-slow-start"
    assert is_installed(ours)


def test_a_module_is_found_in_the_current_directory_and_in_packages() -> None:
    write_study(Path("papers"), name="vegas.py")
    Path("papers/__init__.py").touch()
    assert find("papers.vegas:STUDY").name == "small"
    assert find("papers/vegas.py") is find("papers.vegas:STUDY")


def test_a_file_in_a_package_imports_its_neighbours_by_dots() -> None:
    file = write_study(Path("dotted"), old="S-1", new="S-1")
    Path("dotted/__init__.py").touch()
    Path("dotted/words.py").write_text("TITLE = 'By dots'\n", encoding="utf-8")
    file.write_text(
        "from dotted.words import TITLE\nfrom .words import TITLE as T\n"
        + STUDY.replace('"Small"', "T"),
        encoding="utf-8",
    )
    assert find(str(file)).title == "By dots"


def test_a_file_beside_others_imports_them_by_name() -> None:
    Path("beside_words.py").write_text("TITLE = 'Beside'\n", encoding="utf-8")
    file = write_study(Path())
    file.write_text(
        "from beside_words import TITLE\n" + STUDY.replace('"Small"', "TITLE"), encoding="utf-8"
    )
    assert find("small.py").title == "Beside"


def test_a_function_of_a_file_imports_its_neighbours_when_it_is_called() -> None:
    Path("late_words.py").write_text("TITLE = 'Late'\n", encoding="utf-8")
    file = write_study(Path())
    file.write_text(
        STUDY + "\n\ndef late():\n    from late_words import TITLE\n\n    return TITLE\n",
        encoding="utf-8",
    )
    module = module_of(find("small.py"))
    assert module is not None
    assert module.late() == "Late"


def test_a_file_called_as_a_module_of_pythons_own_is_still_the_file() -> None:
    import random

    assert find(str(write_study(Path(), name="random.py"))).name == "small"
    assert sys.modules["random"] is random


def test_two_files_of_one_name_are_two_studies() -> None:
    write_study(Path("a"))
    write_study(Path("b"), old='title="Small"', new='title="Of b"')
    assert [find("a/small.py").title, find("b/small.py").title, find("a/small.py").title] == [
        "Small",
        "Of b",
        "Small",
    ]


def test_the_module_of_a_study_is_known() -> None:
    module = module_of(find(str(write_study(Path()))))
    assert module is not None
    assert module.__file__ is not None
    assert Path(module.__file__).name == "small.py"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "X = 1\n",
            r"small.py: no STUDY in it: write STUDY = Study\(...\), or let ackclock study new .*",
        ),
        (
            STUDY.replace("STUDY = ", "MINE = "),
            "small.py: no STUDY in it; its study is called MINE: .* small.py:MINE",
        ),
        (
            STUDY.replace("STUDY = ", "A = ") + "B = A\n",
            "small.py: no STUDY in it; it has several studies, A, B: .* small.py:A",
        ),
        ("STUDY = [1]\n", "small.py: STUDY is a list, and no ackclock.studies.study.Study"),
        (
            "from ackclock.studies.study import Study\nSTUDY = Study\n",
            "small.py: STUDY is the class Study itself, .*",
        ),
        ("import math\nX = 1 / 0\n", "small.py:2: ZeroDivisionError: division by zero"),
        (
            "import nowhere_at_all\n",
            "small.py:1: ModuleNotFoundError: No module named 'nowhere_at_all'",
        ),
        ("X = (\n", r"small.py:1: SyntaxError: '\(' was never closed"),
        ("\n\nraise SystemExit(0)\n", "small.py:3: it ends Python while it is imported: .*"),
        (
            STUDY.replace('"small", "utilisation", "cc"', '"smal", "utilisation", "cc"'),
            "small.py:.*: small: S-Q1 names the experiment 'smal', .*",
        ),
        (
            STUDY.replace("    known=(),\n", ""),
            r"small.py:\d+: TypeError: .* missing 1 required .*'known'",
        ),
        (STUDY.replace('name="small"', 'name="a/b"'), "small.py: 'a/b' is no name for a study: .*"),
        (STUDY.replace('name="small"', 'name="all"'), "small.py: the name 'all' is taken: .*"),
        (
            STUDY.replace('name="small"', 'name="small-buffers"'),
            "small.py: the name 'small-buffers' is taken: .*",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line_with_its_place(text: str, said: str) -> None:
    write_study(Path()).write_text(text, encoding="utf-8")
    with pytest.raises(StudyError) as error:
        find("small.py")
    assert re.fullmatch(said, str(error.value)), str(error.value)


def test_an_error_further_in_names_the_users_line_there() -> None:
    Path("deep_words.py").write_text("def tell():\n    return 1 / 0\n", encoding="utf-8")
    Path("deep.py").write_text("from deep_words import tell\nSTUDY = tell()\n", encoding="utf-8")
    with pytest.raises(StudyError, match=r"deep_words\.py:2: ZeroDivisionError"):
        find("deep.py")


def test_another_name_in_a_file() -> None:
    write_study(Path()).write_text(STUDY.replace("STUDY = ", "MINE = "), encoding="utf-8")
    assert find("small.py:MINE").name == "small"
    with pytest.raises(
        StudyError, match=r"small\.py: there is no 'MIN' in it, only MINE; did you mean 'MINE'"
    ):
        find("small.py:MIN")


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("smal.py", "smal.py: there is no such file; did you mean 'small.py'\\?"),
        ("papers", "there is no study 'papers', only bbr-beside-loss, .*"),
        (
            "small",
            (
                "there is no study 'small', only .*; there is a file small.py: write ackclock "
                "study "
                "small.py"
            ),
        ),
        ("small.toml", "small.toml: a study is a Python file, its name ends in .py"),
        (
            "nowhere:STUDY",
            "there is no module 'nowhere' in the current directory or on Python's path",
        ),
        ("small:", "'small:' names no study: write MODULE:NAME, such as papers.vegas:STUDY"),
        ("./", ".*: this is a folder; name the file in it that has the study"),
    ],
)
def test_what_is_wrong_with_a_word(word: str, said: str) -> None:
    write_study(Path())
    with pytest.raises(StudyError) as error:
        find(word)
    assert re.fullmatch(said, str(error.value)), str(error.value)


def test_a_study_that_study_new_wrote_is_told_by_its_file(here: Path) -> None:
    write_study(here / "vegas", name="vegas.py")
    with pytest.raises(
        StudyError, match=r"there is a file vegas/vegas.py: write ackclock study vegas/vegas.py"
    ):
        find("vegas")
