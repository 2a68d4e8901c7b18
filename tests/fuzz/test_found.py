"""What campaigns found, shrunk: does no oracle object any more?"""

import tomllib
from pathlib import Path

import pytest

from fuzz.attempt import attempt
from fuzz.generate import Case

FOUND = sorted((Path(__file__).parent / "found").glob("*.toml"))
FILES = {
    path.name: path.read_text()
    for path in FOUND[0].parent.iterdir()
    if path.suffix in {".txt", ".py"}
}


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
