"""One base of all errors, and kinds that a program can match."""

import importlib
import inspect
import pkgutil
import re
from pathlib import Path
from typing import Any

import pytest

import ackclock as ac

DOCS = Path(__file__).parent.parent / "docs" / "errors.md"
KINDS = set(re.findall(r"^\| `([a-z-]+)` \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)) - {
    "kind"
}


def every_error() -> set[type[BaseException]]:
    """Public exceptions that modules of ackclock define."""
    errors = set()
    for module in pkgutil.walk_packages(ac.__path__, "ackclock."):
        if module.name.split(".")[-1] in {"__main__", "worker"} or ".templates" in module.name:
            continue
        for name, member in vars(importlib.import_module(module.name)).items():
            if (
                inspect.isclass(member)
                and issubclass(member, Exception)
                and member.__module__.startswith("ackclock.")
                and not name.startswith("_")
            ):
                errors.add(member)
    return errors


def test_every_error_has_the_base_and_a_kind_that_is_documented() -> None:
    errors = every_error()
    assert len(errors) > 25
    for error in errors:
        assert issubclass(error, ac.Error), error
        assert error.kind in KINDS, error


def test_the_page_has_every_kind() -> None:
    source = Path(inspect.getfile(ac.Error)).read_text(encoding="utf-8")
    kinds = source.partition("Literal[")[2].partition("]")[0]
    assert set(re.findall(r'"([a-z-]+)"', kinds)) == KINDS


@pytest.mark.parametrize(
    ("changes", "kind", "key"),
    [
        ({"durration": "5s"}, "unknown-key", "durration"),
        ({"network.kind": "dumbell"}, "unknown-name", "network.kind"),
        ({"duration": 5}, "wrong-type", "duration"),
        ({"network.bottleneck.limit": "0 packets"}, "out-of-range", "network.bottleneck.limit"),
        ({"compare.flows": ["nobody"]}, "unknown-name", "compare.flows.0"),
        ({"flows.0.count": 0}, "out-of-range", "flows.0.count"),
        ({"flows.0.cc": "renno"}, "invalid", "flows.0.cc"),
    ],
)
def test_kinds_of_scenario_errors(changes: dict[str, Any], kind: str, key: str) -> None:
    with pytest.raises(ac.ScenarioError) as raised:
        ac.load("scenarios/reno-one-flow.toml", changes=changes)
    assert (raised.value.kind, raised.value.key) == (kind, key)


def test_other_kinds(tmp_path: Path) -> None:
    def kind(call: Any, *arguments: Any) -> str:
        with pytest.raises(ac.Error) as raised:
            call(*arguments)
        return raised.value.kind

    (tmp_path / "empty.toml").write_text("")
    (tmp_path / "bad.toml").write_text("a = [")
    assert kind(ac.load, tmp_path / "nothing.toml") == "unreadable"
    assert kind(ac.load, tmp_path / "bad.toml") == "unreadable"
    assert kind(ac.load, tmp_path / "empty.toml") == "missing"
    assert kind(ac.Result.load, tmp_path) == "unreadable"
    assert kind(ac.open_sweep, tmp_path) == "unreadable"
    assert kind(ac.metrics.find_metric, "gooodput") == "unknown-name"
    assert kind(ac.studies.find_study, "nothing") == "unknown-name"
    result = ac.run(ac.load("scenarios/reno-one-flow.toml", changes={"record.samples": "off"}))
    assert kind(result.metric, "rate_variation") == "no-data"
    (tmp_path / "mine.txt").write_text("")
    assert kind(result.write, tmp_path) == "unwritable"


@pytest.mark.parametrize(
    "name", ["linux", "metrics", "plot", "stats", "studies", "sweeps", "theory"]
)
def test_packages_are_there_without_an_import_of_their_own(name: str) -> None:
    assert inspect.ismodule(getattr(ac, name))
