"""The page's archive has every module that its resolver imports (web/build/python.py)."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python/ackclock"


def constant(name: str) -> tuple[str, ...]:
    """A tuple of texts in the program that packs the modules."""
    tree = ast.parse((ROOT / "web/build/python.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            texts: tuple[str, ...] = ast.literal_eval(node.value)
            return texts
    raise AssertionError(f"no {name} there")


def at_import(body: list[ast.stmt]) -> Iterator[ast.ImportFrom]:
    """The imports that happen whenever a module is imported."""
    for node in body:
        if isinstance(node, ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.unparse(node.test):
            yield from at_import(node.body + node.orelse)


def packed() -> dict[str, Path]:
    """The packed modules by their names."""
    modules = {}
    for part in constant("MODULES"):
        path = PACKAGE / part
        for file in [path] if path.is_file() else path.rglob("*.py"):
            name = file.relative_to(PACKAGE).as_posix()
            if not name.startswith(constant("_UNUSED_OF_ACKCLOCK")):
                parts = file.relative_to(PACKAGE).with_suffix("").parts
                modules[".".join(("ackclock", *parts)).removesuffix(".__init__")] = file
    return modules


def test_what_a_packed_module_imports_is_packed() -> None:
    names = packed()
    assert len(names) > 100
    ours = {"ackclock", "ackclock._core", "ackclock._constants", *names}
    missing = []
    for name, file in names.items():
        for node in at_import(ast.parse(file.read_text(encoding="utf-8")).body):
            module = str(node.module)
            if module.split(".")[0] != "ackclock":
                continue
            if module not in ours:
                missing.append(f"{name} imports {module}")
            folder = PACKAGE.joinpath(*module.split(".")[1:])
            inner = [alias.name for alias in node.names]
            there = [member for member in inner if (folder / f"{member}.py").is_file()]
            there += [member for member in inner if (folder / member / "__init__.py").is_file()]
            missing += [
                f"{name} imports {module}.{member}"
                for member in there
                if f"{module}.{member}" not in ours
            ]
    assert not missing


def test_what_is_left_out_is_there_to_be_left_out() -> None:
    files = [path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py")]
    for part in constant("_UNUSED_OF_ACKCLOCK"):
        assert any(file.startswith(part) for file in files), part
