"""The hash of a user's code changes with the code that runs, and with nothing else."""

import itertools
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ackclock.cc import CongestionControl
from ackclock.scenario.own import Finder
from ackclock.sweeps.own_code import own_code

_numbers = itertools.count()
ALGORITHM = """
from {helper} import FACTOR
from ackclock.cc import Avoidance

class Mine(Avoidance):
    def next_cwnd(self, ack, window):
        return window.cwnd + FACTOR

    def ssthresh(self, event, window):
        import {package}.inner
        return window.cwnd / 2
"""


class Modules:
    """An algorithm's module, one it imports, and a package a function imports; unique names."""

    def __init__(self, folder: Path) -> None:
        number = next(_numbers)
        self.folder, self.main, self.helper, self.package = (
            folder,
            f"swept_main_{number}",
            f"swept_helper_{number}",
            f"swept_package_{number}",
        )
        self.write(self.main, ALGORITHM.format(helper=self.helper, package=self.package))
        self.write(self.helper, "FACTOR = 1\n")
        (folder / self.package).mkdir()
        self.write(f"{self.package}/__init__", "")
        self.write(f"{self.package}/inner", "from . import deep\n")
        self.write(f"{self.package}/deep", "")
        self.write("unrelated", "")

    def write(self, name: str, text: str) -> None:
        (self.folder / f"{name}.py").write_text(text)

    @property
    def code(self) -> str:
        return own_code([f"hystart+python:{self.main}:Mine(a=1)", "reno"], self.folder)


@pytest.fixture
def modules(tmp_path: Path) -> Iterator[Modules]:
    made = Modules(tmp_path)
    yield made
    for name in list(sys.modules):
        if name.partition(".")[0] in {made.main, made.helper, made.package}:
            del sys.modules[name]


def test_without_code_of_the_users_there_is_no_hash(tmp_path: Path) -> None:
    assert (
        own_code(["reno", "hystart+cubic(beta=0.6)", "queue_delay.p95@bottleneck"], tmp_path) == ""
    )


@pytest.mark.parametrize(
    "which", ["main", "helper", "package/__init__", "package/inner", "package/deep"]
)
def test_every_module_that_it_imports_counts(modules: Modules, which: str) -> None:
    before = modules.code
    attribute, *rest = which.split("/")
    name = "/".join([getattr(modules, attribute), *rest])
    modules.write(name, (modules.folder / f"{name}.py").read_text() + "# another\n")
    assert modules.code != before


def test_what_it_does_not_import_does_not_count(modules: Modules) -> None:
    before = modules.code
    modules.write("unrelated", "x = 1\n")
    assert modules.code == before


def test_the_folder_does_not_count(
    modules: Modules, tmp_path_factory: pytest.TempPathFactory
) -> None:
    before = modules.code
    for name in list(sys.modules):
        if name.startswith("swept_"):
            del sys.modules[name]
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "moved"
    modules.folder.rename(elsewhere)
    modules.folder = elsewhere
    assert modules.code == before


def test_what_runs_is_what_was_hashed(modules: Modules) -> None:
    assert modules.code
    modules.write(modules.helper, "FACTOR = 2  # longer\n")
    assert modules.code
    component = Finder(modules.folder)(f"python:{modules.main}:Mine", {})
    assert component is not None
    assert issubclass(component.algorithm, object)
    assert not issubclass(component.algorithm, CongestionControl)
    assert sys.modules[modules.main].FACTOR == 2
