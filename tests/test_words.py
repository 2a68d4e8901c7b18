"""Does the check of words find what it says, and leave good sentences alone?"""

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parent.parent / "tools" / "words"


def faults(folder: Path, name: str, text: str) -> list[str]:
    (folder / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    done = subprocess.run(
        [sys.executable, str(TOOL), name], cwd=folder, capture_output=True, text=True, check=False
    )
    lines = done.stdout.splitlines()
    assert done.returncode == min(len(lines) - 1, 1), done
    return lines[:-1]


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("a.rs", "fn f() {}\n\n    /// What is sent.\n    x: u8,\n", "a.rs:3: “What”"),
        ("a.rs", "//! A ring.\n//! It is kept by the crew.\n", "a.rs:2: “crew”"),
        ("a.rs", "/// One.\n" + "/// word word word\n" * 14, "a.rs:2: “word word"),
        ("a.rs", "// " + "word " * 20 + "\n", "a.rs:1: "),
        ("a.py", 'def f():\n    """Its length."""\n', "a.py:2: “Its”"),
        ("a.py", "x = 1\n# Good.\n# Ours is faster.\n", "a.py:3: “Ours”"),
        ("a.md", "| a | b |\n|---|---|\n| x | the same\n", "a.md:3: "),
        ("a.md", "# What counts\n\nWhat is sent counts.\n", "a.md:3: “What”"),
    ],
)
def test_fault_is_named_by_file_and_line(tmp_path: Path, name: str, text: str, place: str) -> None:
    (fault,) = faults(tmp_path, name, text)
    assert fault.startswith(place)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.rs", "/// Index of the first entry for which `whatever` is false.\n"),
        ("a.rs", '//! What limits a flow?\n\nlet crew = "ours";\n'),
        ("a.py", '"""A page.\n\n    whatever >>> "crew"\n"""\n'),
        ("a.md", "```\nwhatever\n```\n\nThe paper says “whatever”.\n\n| " + "x " * 60 + "|\n"),
    ],
)
def test_code_and_quotations_are_left_alone(tmp_path: Path, name: str, text: str) -> None:
    assert faults(tmp_path, name, text) == []
