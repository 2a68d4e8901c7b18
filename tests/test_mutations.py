"""Mutated examples, names, settings and files: planned, or refused in one line with status 2.

The seed is fixed; `make mutations N=35000` tries more. A failure prints the mutated file.
"""

from pathlib import Path

import pytest

import mutating
from scripts import ackclock_process

pytestmark = pytest.mark.slow

# Some ten seconds on an idle core.
COUNT = 500


# A hang of one input is seen in there, after a minute.
@pytest.mark.long
@pytest.mark.timeout(900)
def test_every_mutation_is_planned_or_refused_in_one_line(tmp_path: Path) -> None:
    tried = mutating.run(COUNT, 19, tmp_path)
    assert not tried.failures, "\n\n".join(tried.failures[:5])
    # The mutations are neither all harmless nor all the same: about a fifth can be planned.
    assert tried.counts["planned"] > COUNT / 20
    assert tried.counts["refused"] > COUNT / 2
    assert tried.counts["asked"] > COUNT / 20
    assert tried.counts["run"] > 0


@pytest.mark.long
@pytest.mark.timeout(900)
def test_in_a_process_of_its_own_it_is_the_same(tmp_path: Path) -> None:
    mutations = mutating.Mutations(tmp_path, 20)
    asked = 0
    while asked < 5:
        mutations.scenario(cli=False)
        refused = mutations.tried.counts["refused"]
        written = list(tmp_path.rglob("m-*.toml"))
        if refused == asked:
            for file in written:
                file.unlink()
            continue
        asked = refused
        (file,) = written
        done = ackclock_process("run", str(file), "--out", str(tmp_path / "out"))
        file.unlink()
        assert done.returncode == 2, done.stderr
        assert not mutating.wrong_with(done.stderr.rstrip("\n")), done.stderr
        assert not (tmp_path / "out").exists()


def test_what_is_wrong_with_a_message_is_seen() -> None:
    assert mutating.wrong_with("a.toml: duration: '10' has no unit", "a.toml", "duration") == ""
    assert mutating.wrong_with("x" * 300) == "300 characters"
    assert mutating.wrong_with("red \x1b[31m") == "it does not print"
    assert mutating.wrong_with("two\nlines") == "it does not print"
    assert mutating.wrong_with("duration is wrong", "a.toml") == "it does not name a.toml"
    assert mutating.wrong_with("") == "it says nothing"
