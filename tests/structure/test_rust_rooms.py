"""Does no module of the Rust crates import, by way of others, itself?"""

from __future__ import annotations

from pathlib import Path

import pytest

from rust_modules import Crate

CRATES = Path(__file__).parents[2] / "crates"


@pytest.mark.parametrize("crate", ["units", "cc", "sim", "linux", "py"])
def test_the_modules_of_each_folder_have_an_order(crate: str) -> None:
    assert Crate.read(CRATES / crate / "src").circles() == []


def _crate(folder: Path, **texts: str) -> Crate:
    for name, text in texts.items():
        file = folder / f"{name.replace('__', '/')}.rs"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return Crate.read(folder)


def test_a_circle_is_found_through_nested_imports_and_re_exports(tmp_path: Path) -> None:
    crate = _crate(
        tmp_path,
        lib="mod link; mod plan;",
        plan="use std::fmt;\nuse crate::{link::{LinkPlan, Rate as R}};",
        link__mod="mod queue; pub use queue::LinkPlan;",
        link__queue="fn check(plan: &crate::plan::Plan) {}",
    )
    assert crate.circles() == ["src: link, plan (link::queue -> plan; plan -> link)"]


def test_siblings_in_a_folder_are_judged_by_themselves(tmp_path: Path) -> None:
    crate = _crate(
        tmp_path,
        lib="",
        net__mod="mod link; mod loss; pub use link::Link; pub use loss::Loss;",
        net__link="use super::Loss;",
        net__loss="use super::link::Link;",
    )
    assert crate.circles() == ["net: link, loss (net::link -> net::loss; net::loss -> net::link)"]


def test_a_folder_and_its_own_modules_are_one(tmp_path: Path) -> None:
    crate = _crate(
        tmp_path,
        lib="",
        app__mod="mod bulk; use bulk::Bulk; pub trait App {}",
        app__bulk="use super::App;",
    )
    assert crate.circles() == []


def test_comments_strings_and_tests_import_nothing(tmp_path: Path) -> None:
    crate = _crate(
        tmp_path,
        lib="",
        one='// use crate::two::A;\nconst TEXT: &str = "use crate::two::B;";',
        two="use crate::one::C;\n#[cfg(test)]\nmod tests { use crate::three::D; fn f() {} }",
        three="use crate::two::E;",
    )
    assert crate.circles() == []
