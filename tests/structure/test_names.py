"""Traits of an algorithm or a discipline stand in its entry: no list of names elsewhere.

A name of the catalogue is written in Python or TypeScript only as a choice: a default, an example,
a row of an evaluation. Who wants to know what an algorithm does asks
`ackclock.catalogue.algorithms`, of a discipline `ackclock.catalogue.disciplines`, and the page
`traits.ts`.
"""

import ast
import re
from pathlib import Path

import pytest

from ackclock import _core

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "web/src"
PYTHON = ROOT / "python/ackclock"

WORDS = {"classic", "cos", "fast", "limited", "red", "search", "step"}
"""Names that are words as well: of ECN, of profiles, colours, states and keys."""
NAMES = {entry["name"] for entry in (*_core.list_cc(), *_core.list_qdisc())} - WORDS

TABLE = "the table of the discipline itself"
CONTENT = "rows and tests, which are content"
PROBE = "a flow that measures the machine"
DEFAULT = "a default that the documentation names"
EXAMPLE = "an example in a message or a schema"
OPTION = "a value of an option of the transport or of a script"

ALLOWED = {
    "core_types/plan.py": "made from the core",
    "cli/completion/names.py": EXAMPLE,
    "cli/linux_command.py": PROBE,
    "cli/size_command.py": DEFAULT,
    "tools/doctor/core.py": PROBE,
    "tools/doctor/kernel.py": PROBE,
    "evaluation": CONTENT,
    "engine/linux/transport.py": OPTION,
    "metrics/of_counters.py": DEFAULT,
    "packetdrill": OPTION,
    "scenario/build.py": DEFAULT,
    "scenario/network.py": DEFAULT,
    "scenario/plan/flows.py": OPTION,
    "scenario/profiles.py": OPTION,
    "scenario/qdisc": TABLE,
    "scenario/schema.py": EXAMPLE,
    "scenario/transport.py": OPTION,
    "tools/sizing/finding.py": DEFAULT,
    "tools/sizing/question.py": DEFAULT,
    "tools/testsuites": CONTENT,
    "scenario/qdisc/tc_words/bucket.py": "a word of tc",
    "validation/exact": CONTENT,
    "validation/random": CONTENT,
}
"""Python that writes names of the catalogue, and why it may."""
ALLOWED_IN_THE_PAGE = {
    "knobs/knobs.ts": DEFAULT,
    "pcap/mount.ts": DEFAULT,
    "resolver/python.ts": EXAMPLE,
    "scenario/flows-form.ts": DEFAULT,
    "traits.ts": "made from the core",
}


def names_in_python(text: str) -> set[str]:
    """Names of the catalogue that stand as whole texts in a module, ``__all__`` apart."""
    parts = [
        part
        for part in ast.parse(text).body
        if not (isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == "__all__")
    ]
    return {
        node.value
        for part in parts
        for node in ast.walk(part)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in NAMES
    }


def names_in_typescript(text: str) -> set[str]:
    """Names of the catalogue that stand as whole texts in a file of the page, or as keys."""
    code = re.sub(r"//.*", "", text)
    return NAMES & {match[1] for match in re.finditer(r"""["']([\w-]+)["']""", code)}


def _found(root: Path, pattern: str, names: object) -> dict[str, set[str]]:
    assert callable(names)
    files = sorted(root.rglob(pattern))
    uses = {
        file.relative_to(root).as_posix(): names(file.read_text(encoding="utf-8")) for file in files
    }
    return {file: used for file, used in uses.items() if used}


USES = _found(PYTHON, "*.py", names_in_python)
USES_IN_THE_PAGE = _found(PAGE, "*.ts", names_in_typescript)


def _is_of(file: str, place: str) -> bool:
    return file == place or file.startswith(f"{place}/")


@pytest.mark.parametrize(
    ("uses", "allowed"),
    [(USES, ALLOWED), (USES_IN_THE_PAGE, ALLOWED_IN_THE_PAGE)],
    ids=["Python", "page"],
)
def test_no_list_of_names_says_what_algorithms_and_disciplines_are_like(
    uses: dict[str, set[str]], allowed: dict[str, str]
) -> None:
    new = {
        file: sorted(names)
        for file, names in uses.items()
        if not any(_is_of(file, place) for place in allowed)
    }
    assert not new, f"ask their traits, or say here why a name is a choice: {new}"
    stale = [place for place in allowed if not any(_is_of(file, place) for file in uses)]
    assert not stale


@pytest.mark.parametrize("line", ['if cc == "cubic": pass', 'x = {"codel": 1}', "y = ('bbr',)"])
def test_a_name_is_seen(line: str) -> None:
    assert names_in_python(line)
    assert names_in_typescript(line)
