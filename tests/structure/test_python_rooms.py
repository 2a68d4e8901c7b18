"""The packages of ackclock import each other in one direction, lazy and typing imports included."""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

import ackclock

ROOT = Path(ackclock.__file__).parent
ROOF = {"", "__main__"}
"""`ackclock` itself and its command: above every package, imported by none."""


def modules() -> dict[str, Path]:
    """Every module by its name without `ackclock.`; `_core` is known by its stub."""
    found = {"_core": ROOT / "_core.pyi"}
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(source: Path, known: dict[str, Path]) -> set[str]:
    """Modules of ackclock that a file imports anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{source}, line {node.lineno}: a relative import"
            inner = [f"{node.module}.{each.name}" for each in node.names]
            names = [
                name if name.removeprefix("ackclock.") in known else str(node.module)
                for name in inner
            ]
        else:
            continue
        for name in names:
            if name.split(".")[0] == "ackclock":
                found.add(name.removeprefix("ackclock").removeprefix("."))
    return found


@cache
def arrows() -> dict[tuple[str, str], list[str]]:
    """Each arrow between two packages with the imports that draw it."""
    known, found = modules(), defaultdict(list)
    for name, path in sorted(known.items()):
        room = name.split(".")[0]
        if room in ROOF:
            continue
        for other in sorted(imported(path, known)):
            if other.split(".")[0] != room:
                found[room, other.split(".")[0]].append(f"{name} -> {other or 'ackclock'}")
    return found


def circles(drawn: dict[tuple[str, str], list[str]]) -> list[str]:
    """The imports of every circle between packages, a text for each circle."""
    house = nx.DiGraph(list(drawn))
    return [
        "\n".join(line for (a, b), lines in drawn.items() if {a, b} <= circle for line in lines)
        for circle in nx.strongly_connected_components(house)
        if len(circle) > 1
    ]


def test_no_circle_between_packages() -> None:
    found = circles(arrows())
    assert not found, "packages import each other in a circle:\n" + "\n\n".join(found)


def test_no_circle_between_modules() -> None:
    known = modules()
    drawn = {
        (name, other): [f"{name} -> {other}"]
        for name, path in known.items()
        if name.split(".")[0] not in ROOF
        for other in imported(path, known) & known.keys()
        if other != name
    }
    found = circles(drawn)
    assert not found, "modules import each other in a circle:\n" + "\n\n".join(found)


def test_nothing_imports_the_roof() -> None:
    found = [line for (_, b), lines in arrows().items() if b in ROOF for line in lines]
    assert not found, "import the module where a name is defined:\n" + "\n".join(found)


def test_a_circle_is_found_with_its_imports() -> None:
    drawn = {("a", "b"): ["a.x -> b"], ("b", "a"): ["b -> a.y"], ("b", "c"): ["b -> c"]}
    assert circles(drawn) == ["a.x -> b\nb -> a.y"]


@pytest.mark.parametrize("room", ["results", "sweeps"])
def test_results_stand_below_what_shows_them(room: str) -> None:
    above = {"metrics"} if room == "results" else set()
    assert not {b for a, b in arrows() if a == room} & {"plot", "report", "cli", *above}


def test_the_laboratory_names_no_package_of_papers() -> None:
    # It finds them by their entry points, as it finds a user's studies.
    found = [
        path.relative_to(ROOT).as_posix()
        for path in sorted(ROOT.rglob("*"))
        if path.suffix in {".py", ".pyi", ".toml", ".md", ".html", ".jinja"}
        and re.search("ackclock[-_]papers", path.read_text(encoding="utf-8"))
    ]
    assert found == []
