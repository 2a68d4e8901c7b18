"""Reference of the Python package: every public name, with its signature and docstring."""

import ast
import importlib
import inspect
import itertools
import pkgutil
import sys
from collections.abc import Iterator
from types import ModuleType

from copying import Stage

import ackclock

# Where a class's own members say little to a reader: fields and methods of its parent.
_HIDDEN = "model_config, model_fields, model_computed_fields, model_post_init, set"


def packages() -> list[str]:
    """The public modules and packages of ackclock, itself first."""
    return [
        "ackclock",
        *sorted(
            module.__name__
            for name in ackclock.__all__
            if inspect.ismodule(module := getattr(ackclock, name))
        ),
    ]


def write(staged: Stage) -> None:
    """Write api/README.md, and a page for each public package."""
    lines = []
    for name in packages():
        module = importlib.import_module(name)
        first = (inspect.getdoc(module) or "").split("\n\n", maxsplit=1)[0]
        lines.append(f"| [`{name}`]({name}.md) | {' '.join(first.split())} |\n")
        staged.write(f"api/{name}.md", "\n".join(_page(module, name)))
    about = (
        "# The Python package\n\nThis page lists the public packages of `ackclock`. Each page has "
        "their functions and classes with signatures, units, errors and examples; every example "
        "is run by the tests. `import ackclock as ac` gives them all: `ac.theory`, `ac.metrics`, "
        "and so on.\n\n| package | for |\n|---|---|\n"
    )
    staged.write("api/README.md", about + "".join(lines))


def _page(module: ModuleType, name: str) -> Iterator[str]:
    yield f"# {name}\n"
    yield f"```{{eval-rst}}\n.. automodule:: {name}\n   :no-members:\n```\n"
    above = [name for name in module.__all__ if _is_above(module, name)]
    if above:
        links = ", ".join(f"[`{member}`](#ackclock.{member})" for member in above)
        yield f"Described with [`ackclock`](ackclock.md): {links}.\n"
    for title, names in _parts(module):
        if title:
            yield f"## {title}\n"
        yield "```{eval-rst}"
        for member in names:
            yield from _entry(module, name, member)
        yield "```\n"


def _parts(module: ModuleType) -> Iterator[tuple[str, list[str]]]:
    """The public names: functions and classes, errors apart; many functions by their module."""
    names = [
        name
        for name in module.__all__
        if name != "__version__"
        and not inspect.ismodule(getattr(module, name))
        and not _is_above(module, name)
    ]
    errors = [name for name in names if _is_error(getattr(module, name))]
    rest = [name for name in names if name not in errors]
    if len(rest) > 60:
        below = {
            submodule.name: submodule.name for submodule in pkgutil.iter_modules(module.__path__)
        }
        by_part: dict[str, list[str]] = {}
        for name in rest:
            home = str(getattr(getattr(module, name), "__module__", "")).rsplit(".", 1)[-1]
            by_part.setdefault(home if home in below else "", []).append(name)
        for part, those in sorted(by_part.items()):
            yield part.replace("_", " ").capitalize() if part else "Constants", those
    else:
        kinds = {
            "Functions": [n for n in rest if inspect.isroutine(getattr(module, n))],
            "Classes": [n for n in rest if inspect.isclass(getattr(module, n))],
        }
        placed = {name for those in kinds.values() for name in those}
        kinds["Constants"] = [name for name in rest if name not in placed]
        yield from ((title, those) for title, those in kinds.items() if those)
    if errors:
        yield "Errors", errors


def _is_above(module: ModuleType, name: str) -> bool:
    """Whether a name of a package is one of `ackclock` itself, and described there."""
    return (
        module is not ackclock
        and name in ackclock.__all__
        and getattr(ackclock, name) is getattr(module, name)
    )


def _is_error(value: object) -> bool:
    return inspect.isclass(value) and issubclass(value, Exception)


def _entry(module: ModuleType, home: str, name: str) -> Iterator[str]:
    value = getattr(module, name)
    path = f"{home}.{name}"
    if _is_error(value):
        yield f".. autoexception:: {path}\n"
    elif inspect.isclass(value):
        yield f".. autoclass:: {path}\n   :members:\n   :exclude-members: {_HIDDEN}\n"
    elif inspect.isroutine(value):
        yield f".. autofunction:: {path}\n"
    else:
        yield f".. py:data:: {path}\n\n   {_about(home, name, value)}\n"


def _about(package: str, name: str, value: object) -> str:
    """The text below a constant in the module of the package that defines it."""
    for place, module in sorted(sys.modules.items()):
        if not place.startswith(package) or getattr(module, name, None) is not value:
            continue
        body = ast.parse(inspect.getsource(module)).body
        for statement, below in itertools.pairwise(body):
            targets = (
                statement.targets
                if isinstance(statement, ast.Assign)
                else [getattr(statement, "target", None)]
            )
            is_described = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
            if is_described and any(getattr(target, "id", None) == name for target in targets):
                return " ".join(str(below.value.value).split())
    return f"The value is {value!r}."
