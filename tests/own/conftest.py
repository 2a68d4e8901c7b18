import itertools
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

Write = Callable[[str], str]

_numbers = itertools.count()


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Write a module's source into the test's own folder; return the module's name."""
    monkeypatch.chdir(tmp_path)
    names = []

    def write(source: str) -> str:
        names.append(f"own{next(_numbers)}")
        (tmp_path / f"{names[-1]}.py").write_text(
            f"from ackclock.cc import *\n{textwrap.dedent(source)}", encoding="utf-8"
        )
        return names[-1]

    yield write
    for name in names:
        sys.modules.pop(name, None)
