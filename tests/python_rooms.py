"""The rooms of python/ackclock and the arrows between them: `python tests/python_rooms.py`.

A room is a package or a module at the top of ackclock. An arrow is an import, lazy and typing
imports included.
"""

import ast
import re
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

import networkx as nx

import ackclock

ROOT = Path(ackclock.__file__).parent
DESIGN = Path(__file__).parents[1] / "DESIGN.md"
ROOF = {"", "__main__"}
"""`ackclock` itself and its command: above every package, imported by none."""
CORE = "_core"
"""The compiled core, below every room."""


def modules() -> dict[str, Path]:
    """Every module by its name without `ackclock.`; `_core` is known by its stub."""
    paths = {"_core": ROOT / "_core.pyi"}
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        paths[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return paths


def imported(source: Path, known: dict[str, Path]) -> set[str]:
    """Modules of ackclock that a file imports anywhere in it."""
    imports = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{source}, line {node.lineno}: a relative import"
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [
                name if name.removeprefix("ackclock.") in known else str(node.module)
                for name in inner
            ]
        else:
            continue
        for name in names:
            if name.split(".")[0] == "ackclock":
                imports.add(name.removeprefix("ackclock").removeprefix("."))
    return imports


@cache
def arrows() -> dict[tuple[str, str], list[str]]:
    """Each arrow between two packages with the imports that draw it."""
    known, imports = modules(), defaultdict(list)
    for name, path in sorted(known.items()):
        room = name.split(".")[0]
        if room in ROOF:
            continue
        for other in sorted(imported(path, known)):
            if other.split(".")[0] != room:
                imports[room, other.split(".")[0]].append(f"{name} -> {other or 'ackclock'}")
    return imports


def circles(drawn: dict[tuple[str, str], list[str]]) -> list[str]:
    """The imports of every circle between packages, a text for each circle."""
    house = nx.DiGraph(list(drawn))
    return [
        "\n".join(line for (a, b), lines in drawn.items() if {a, b} <= circle for line in lines)
        for circle in nx.strongly_connected_components(house)
        if len(circle) > 1
    ]


def picture() -> list[str]:
    """Rooms in the order of DESIGN.md's picture, the highest first."""
    box = DESIGN.read_text(encoding="utf-8").split("python/ackclock  ", 1)[1].split("   +--", 1)[0]
    return re.findall(r"^   \|   (\w+) ", box, flags=re.MULTILINE)


def arrows_up() -> list[str]:
    """Imports of a room by one that stands below it in the picture, or of a room beside it."""
    place = {room: at for at, room in enumerate(picture())}
    return [
        line
        for (room, other), lines in arrows().items()
        if CORE not in {room, other} and place.get(room, -1) >= place.get(other, -1)
        for line in lines
    ]


def module_arrows() -> dict[tuple[str, str], list[str]]:
    """Each arrow between two modules."""
    known = modules()
    return {
        (name, other): [f"{name} -> {other}"]
        for name, path in known.items()
        if name.split(".")[0] not in ROOF
        for other in imported(path, known) & known.keys()
        if other != name
    }


if __name__ == "__main__":
    rooms = {name.split(".")[0] for name in modules()} - ROOF - {CORE}
    sys.stdout.write(
        f"rooms: {len(rooms)} in python/ackclock, {len(arrows())} arrows, {len(arrows_up())} up, "
        f"{len(circles(module_arrows()))} circles of modules\n"
    )
