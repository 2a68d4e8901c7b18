"""What campaigns found, shrunk: does no oracle object any more?"""

import tomllib
from pathlib import Path

import pytest

from fuzz.attempt import attempt
from fuzz.generate import Case
from fuzz.relations import Subject, broken
from fuzz.trial import checked

FOUND = sorted((Path(__file__).parent / "found").glob("*.toml"))
FILES = {
    path.name: path.read_text()
    for path in FOUND[0].parent.iterdir()
    if path.suffix in {".txt", ".py"}
}


# By scenario: the relation that found it, and the number with which it draws the same changes.
RELATED = {"a-loss-after-a-close": ("longer", 27559)}


@pytest.mark.parametrize("stem", RELATED)
def test_a_relation_that_found_it_holds(stem, tmp_path):
    name, number = RELATED[stem]
    case = Case(tomllib.loads((FOUND[0].parent / f"{stem}.toml").read_text()))
    assert broken(name, Subject(case, tmp_path, *checked(case, tmp_path)), number) == []


@pytest.mark.long
@pytest.mark.parametrize("path", FOUND, ids=[path.stem for path in FOUND])
def test_a_failure_stays_mended(path, tmp_path):
    text = path.read_text()
    case = Case(
        tomllib.loads(text),
        {name: file for name, file in FILES.items() if name in text or name.endswith(".py")},
    )
    # Number 0 is one that every oracle looks at. With number 1 it runs without recording, too.
    for number in (0, 1):
        outcome = attempt(case, number, tmp_path)
        assert outcome.refusal is None
        assert outcome.complaints == []
