"""The page's lessons are those of the study, with the plans of the command line."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ackclock.scenario import load
from ackclock_papers.lessons import LESSONS, STUDY
from ackclock_papers.lessons.text import Lesson

WEB = Path(__file__).parents[2] / "web"
NAMES = [lesson.name for lesson in LESSONS]


@pytest.fixture(scope="module")
def build() -> Any:
    """The modules that make the page's presets."""
    sys.path.insert(0, str(WEB / "build"))
    made = {}
    for name in ("lessons", "more", "presets"):
        spec = importlib.util.spec_from_file_location(name, WEB / "build" / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        made[name] = importlib.util.module_from_spec(spec)
        sys.modules[name] = made[name]
        spec.loader.exec_module(made[name])
    yield made
    sys.path.remove(str(WEB / "build"))
    for name in made:
        del sys.modules[name]


@pytest.mark.parametrize("lesson", LESSONS, ids=NAMES)
def test_a_lesson_has_ten_sentences_and_three_things_to_try(
    lesson: Lesson, build: dict[str, ModuleType]
) -> None:
    assert len(lesson.sentences) == 10
    assert lesson.number == NAMES.index(lesson.name) + 1
    file = STUDY.folder / f"{lesson.name}.toml"
    start = build["lessons"].lesson(file.with_suffix(".md"), file, {})["start"]
    scenario = load(file)
    assert start["flow"] in {flow["name"] for flow in scenario.model_dump()["flows"]}
    assert 0 <= start["time"] < float(scenario.duration.removesuffix("s")) <= 60


def test_presets_hold_the_plans_of_the_command_line(build: dict[str, ModuleType]) -> None:
    made = build["presets"].presets()
    assert [preset["name"] for preset in made][: len(NAMES)] == NAMES
    for preset in made[: len(NAMES)]:
        for thing in preset["lesson"]["tries"]:
            file = STUDY.folder / f"{preset['name']}.toml"
            plan = build["lessons"].plan_text(load(file, changes=thing["set"]).plan())
            assert thing["plan"] == plan
    assert "cellular" in {preset["name"] for preset in made}
    shown = next(preset for preset in made if preset["name"] == "cellular")
    assert list(shown["files"]) == ["links/cellular.trace"]
    assert "\nrecord = {" in shown["toml"]


def test_a_lesson_without_its_three_things_is_refused(
    build: dict[str, ModuleType], tmp_path: Path
) -> None:
    text = tmp_path / "cubic.md"
    text.write_text((STUDY.folder / "cubic.md").read_text().replace("[[try]]", "[[tri]]", 1))
    with pytest.raises(SystemExit, match=r"cubic\.md: a lesson has three things to try"):
        build["lessons"].lesson(text, STUDY.folder / "cubic.toml", {})
    text.write_text(
        (STUDY.folder / "cubic.md").read_text().replace("flows.cubic.cc", "flows.cubic.c")
    )
    with pytest.raises(SystemExit, match="unknown key"):
        build["lessons"].lesson(text, STUDY.folder / "cubic.toml", {})
