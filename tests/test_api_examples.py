"""Every public name of ackclock and of its public packages has an example, and each example runs.

A function or class has it in its own docstring. A class whose objects only ackclock makes, such as
an event or an error, may have it in the docstring of its package.
"""

import doctest
import importlib
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import ackclock

ROOT = Path(__file__).parents[1]
PACKAGES = [
    "ackclock",
    *(
        module.__name__
        for name in ackclock.__all__
        if inspect.ismodule(module := getattr(ackclock, name))
    ),
]


def public(package: str) -> Iterator[tuple[str, Any]]:
    module = importlib.import_module(package)
    for name in module.__all__:
        value = getattr(module, name)
        if inspect.isclass(value) or inspect.isroutine(value):
            yield name, value


OBJECTS = {f"{package}.{name}": value for package in PACKAGES for name, value in public(package)}
# A class of `ackclock` and of its package is one object, whose example runs once.
ONCE = {id(value): place for place, value in reversed(OBJECTS.items())}.values()


def examples(place: str, value: object) -> list[doctest.Example]:
    text = inspect.getdoc(value) or ""
    return doctest.DocTestParser().get_examples(text, place) if ">>>" in text else []


def failures(place: str, value: object, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run the examples as a script, in which classes are found by name, beside its module's own."""
    script = ModuleType("example")
    home = sys.modules.get(getattr(value, "__module__", ""))
    vars(script).update(vars(home) if home is not None else {}, __name__="example", __file__=None)
    monkeypatch.setitem(sys.modules, "example", script)
    monkeypatch.chdir(ROOT)
    test = doctest.DocTest(examples(place, value), {}, place, None, None, None)
    test.globs = vars(script)
    runner = doctest.DocTestRunner()
    runner.run(test, clear_globs=False)
    return runner.summarize(verbose=False).failed


def is_shown(place: str) -> bool:
    """Whether a class stands in another example of its package, or a function returns it."""
    package, name = place.rsplit(".", 1)
    others = [importlib.import_module(package), *dict(public(package)).values()]
    shown = [
        example.source + example.want for other in others for example in examples(package, other)
    ]
    returned = [
        str(other.__annotations__.get("return", ""))
        for other in others
        if inspect.isfunction(other) and examples(package, other)
    ]
    return any(name in text for text in shown + returned)


@pytest.mark.parametrize("place", OBJECTS)
def test_a_public_name_has_an_example(place: str) -> None:
    value = OBJECTS[place]
    assert examples(place, value) or (inspect.isclass(value) and is_shown(place))


@pytest.mark.parametrize("place", [place for place in ONCE if examples(place, OBJECTS[place])])
def test_an_example_gives_what_it_shows(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert failures(place, OBJECTS[place], monkeypatch) == 0


@pytest.mark.parametrize("package", PACKAGES)
def test_the_examples_of_a_package_run(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert failures(package, importlib.import_module(package), monkeypatch) == 0
