"""The packages of ackclock import each other in one direction, lazy and typing imports included."""

import re

from python_rooms import (
    CORE,
    ROOF,
    ROOT,
    arrows,
    arrows_up,
    circles,
    module_arrows,
    modules,
    picture,
)


def test_no_circle_between_packages() -> None:
    loops = circles(arrows())
    assert not loops, "packages import each other in a circle:\n" + "\n\n".join(loops)


def test_no_circle_between_modules() -> None:
    loops = circles(module_arrows())
    assert not loops, "modules import each other in a circle:\n" + "\n\n".join(loops)


def test_the_design_shows_each_room_once_and_no_arrow_goes_up() -> None:
    rooms = {name.split(".")[0] for name in modules()} - ROOF - {CORE}
    assert sorted(picture()) == sorted(rooms)
    imports = arrows_up()
    assert not imports, "imports of what stands above in DESIGN.md:\n" + "\n".join(imports)


def test_nothing_imports_the_roof() -> None:
    imports = [line for (_, b), lines in arrows().items() if b in ROOF for line in lines]
    assert not imports, "import the module where a name is defined:\n" + "\n".join(imports)


def test_a_circle_is_found_with_its_imports() -> None:
    drawn = {("a", "b"): ["a.x -> b"], ("b", "a"): ["b -> a.y"], ("b", "c"): ["b -> c"]}
    assert circles(drawn) == ["a.x -> b\nb -> a.y"]


def test_the_laboratory_names_no_package_of_papers() -> None:
    # It finds them by their entry points, as it finds a user's studies.
    files = [
        path.relative_to(ROOT).as_posix()
        for path in sorted(ROOT.rglob("*"))
        if path.suffix in {".py", ".pyi", ".toml", ".md", ".html", ".jinja"}
        and re.search("ackclock[-_]papers", path.read_text(encoding="utf-8"))
    ]
    assert files == []
