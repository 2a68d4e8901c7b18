"""Other ways by which a file of others might run code: kinds of modules, other programs' files."""

from __future__ import annotations

import importlib.util
import py_compile
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest

import ackclock as ac
from ackclock.runtime.permission import Permission, acting, files_of, granting, looking, session
from ackclock.scenario.own import Finder
from foreign_folder import MODULE, SCENARIO, Foreign, forget, status

if TYPE_CHECKING:
    from pathlib import Path


def _package(foreign: Foreign) -> str:
    foreign.write("planted_package/__init__.py", MODULE.partition("@ac.metric")[0])
    foreign.write("planted_package/inner.py", MODULE)
    return "planted_package.inner"


def _namespace(foreign: Foreign) -> str:
    foreign.write("planted_space/deep/inner.py", MODULE)
    return "planted_space.deep.inner"


def _compiled(foreign: Foreign) -> str:
    source = foreign.write("hidden/planted_bytes.py", MODULE)
    py_compile.compile(str(source), cfile=str(foreign.folder / "planted_bytes.pyc"))
    return "planted_bytes"


def _extension(foreign: Foreign) -> str:
    foreign.write("planted_so.so", "no program")
    return "planted_so"


KINDS = {
    "package": _package,
    "namespace": _namespace,
    "bytecode": _compiled,
    "extension": _extension,
    "standard library": lambda _: "antigravity",
    "of a package of it": lambda _: "idlelib.idle",
    "imported already": lambda _: "os.path",
    "a program's own": lambda _: "__main__",
    "ackclock's": lambda _: "ackclock.scenario.own",
    "a library's": lambda _: "numpy.testing",
    "in letters that \\w lacks": lambda foreign: foreign.write("planted·x.py", MODULE).stem,
}


@pytest.mark.parametrize("kind", KINDS)
def test_no_kind_of_module_is_imported_from_an_untrusted_folder(
    kind: str, foreign: Foreign
) -> None:
    module = KINDS[kind](foreign)
    foreign.write("s.toml", SCENARIO.replace("planted", module))
    before = set(sys.modules)
    assert status("run", "s.toml") == 2
    named = {module, *(module[:at] for at, letter in enumerate(module) if letter == ".")}
    assert not (set(sys.modules) - before) & named
    assert not list(foreign.folder.rglob("mark"))


@pytest.mark.parametrize("kind", ["package", "namespace", "bytecode"])
def test_every_kind_is_found_without_being_imported_and_runs_with_permission(
    kind: str, foreign: Foreign
) -> None:
    module = KINDS[kind](foreign)
    assert files_of(module, [foreign.folder])[-1].is_file()
    assert not list(foreign.folder.rglob("mark"))
    foreign.write("s.toml", SCENARIO.replace("planted", module))
    assert status("run", "s.toml", "--allow-code", "-q", "--no-report") == 0


def test_a_zip_on_pythons_path_is_found_without_being_imported(
    foreign: Foreign, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(foreign.folder / "more.zip", "w") as archive:
        archive.writestr("planted_zip.py", "raise SystemExit('imported')")
    monkeypatch.syspath_prepend(str(foreign.folder / "more.zip"))
    foreign.write("s.toml", SCENARIO.replace("planted", "planted_zip"))
    assert status("run", "s.toml") == 2
    assert "planted_zip" not in sys.modules


def test_a_program_that_reads_a_foreign_file_must_say_so(foreign: Foreign) -> None:
    for read in (ac.load, ac.run, lambda file: ac.compare(file, cc=["reno", "cubic"], seeds=1)):
        with pytest.raises(ac.NotTrustedError, match=r"planted\.py.*ackclock\.trust.*allow_code"):
            read("s.toml")
    assert not foreign.mark.exists()
    assert ac.load("s.toml", allow_code=True).flows[0].cc == "python:planted:X"
    assert foreign.mark.exists()


def test_a_programs_own_names_and_classes_need_nothing(foreign: Foreign) -> None:
    foreign.write("plain.toml", SCENARIO.replace("python:planted:X", "reno"))
    scenario = ac.load("plain.toml").replace({"flows.cc": "python:planted:X"})
    assert scenario.plan()["flows"][0]["cc"] == "python:planted:X"


def test_what_was_looked_at_stays_unread(foreign: Foreign) -> None:
    with looking():
        scenario = ac.load("s.toml")
    assert scenario.replace({"duration": "2s"}).plan()["duration_ps"] == 2 * 10**12
    assert not foreign.mark.exists()
    with pytest.raises(ac.NotTrustedError):
        scenario.to_run()


def test_a_sweep_that_is_read_runs_nothing_until_its_folder_is_trusted(foreign: Foreign) -> None:
    ac.load("s.toml", allow_code=True)
    foreign.write("sweep.toml", SCENARIO + "[sweep]\nreplications = 1\naxes = []\n")
    ac.sweep("sweep.toml").write("done")
    foreign.mark.unlink()
    forget()
    with session(Permission("own")):
        granting._allowed.clear()
        result = ac.open_sweep("done")
        assert result.runs.height == 1
        with pytest.raises(ac.NotTrustedError):
            result.traces()
    assert not foreign.mark.exists()


def test_a_worker_imports_only_what_its_task_brings(foreign: Foreign) -> None:
    with acting({}), pytest.raises(ac.NotTrustedError):
        Finder(foreign.folder)("python:planted:X", {})
    assert not foreign.mark.exists()
    with acting({"planted": [str(foreign.folder)]}):
        assert Finder(foreign.folder)("python:planted:X", {}) is not None
    assert foreign.mark.exists()


def test_workers_have_the_permission_of_the_command(foreign: Foreign) -> None:
    foreign.write(
        "sweep.toml",
        SCENARIO
        + '[sweep]\nreplications = 2\nresponses = [{ metric = "python:planted:spread" }]\n',
    )
    assert status("sweep", "sweep.toml", "--workers", "2", "--allow-code", "-q") == 0


def test_a_file_that_says_it_stands_elsewhere_needs_trust_of_both(foreign: Foreign) -> None:
    trusted = foreign.folder.parent / "trusted"
    trusted.mkdir()
    (foreign.folder / "planted.py").rename(trusted / "planted.py")
    ac.trust(trusted)
    foreign.write("s.toml", SCENARIO + '[sweep]\nfolder = "../trusted"\nreplications = 1\n')
    assert status("sweep", "s.toml") == 2
    assert not (trusted / "mark").exists()


def _python(*words: str, folder: Path) -> str:
    """Standard error of Python in a process of its own, in a folder."""
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stderr


def test_python_m_takes_no_modules_from_the_current_folder(foreign: Foreign) -> None:
    for name in ("click.py", "sitecustomize.py", "rich.py", "pydantic.py", "usercustomize.py"):
        foreign.write(name, MODULE)
    foreign.write("evil-1.dist-info/METADATA", "Name: evil\nVersion: 1\n")
    foreign.write("evil-1.dist-info/entry_points.txt", "[ackclock.studies]\nevil = planted:X\n")
    _python("-m", "ackclock", "list", "qdisc", folder=foreign.folder)
    assert not foreign.mark.exists()


@pytest.mark.parametrize("is_command", [False, True])
def test_a_command_takes_no_settings_of_matplotlib_from_the_current_folder(
    is_command: bool, foreign: Foreign
) -> None:
    pytest.importorskip("matplotlib")
    foreign.write("matplotlibrc", "no_such.key: 1\n")
    before = "from ackclock.runtime import extras; extras.leave_the_current_folder_alone(); "
    said = _python(
        "-P",
        "-c",
        f"{before if is_command else ''}import ackclock.views.figure",
        folder=foreign.folder,
    )
    assert ("no_such" in said) != is_command


def _helped(folder: Path, foreign: Foreign) -> None:
    """A module whose imports stand in the current folder, too, which others made."""
    folder.mkdir()
    (folder / "gentle.py").write_text(f"import planted_pair\n{MODULE}", encoding="utf-8")
    (folder / "planted_pair.py").write_text("", encoding="utf-8")
    (folder / "s.toml").write_text(SCENARIO.replace("planted", "gentle"), encoding="utf-8")
    for name in ("planted_pair", "tabnanny"):
        foreign.write(f"{name}.py", MODULE)


@pytest.mark.parametrize("way", ["trusted", "permitted once", "typed", "a program's"])
def test_code_that_is_permitted_imports_nothing_from_a_current_folder_of_others(
    way: str, foreign: Foreign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _helped(mine := tmp_path / "mine", foreign)
    gentle = mine / "gentle.py"
    # A module of Python that nothing here has imported yet.
    gentle.write_text(f"import tabnanny\n{gentle.read_text()}", encoding="utf-8")
    for name in ("tabnanny", "planted_pair"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    if way == "a program's":
        ac.load(mine / "s.toml", allow_code=True).plan()
    else:
        if way == "trusted":
            ac.trust(mine)
        more = {
            "permitted once": ["--allow-code"],
            "typed": ["--set", "flows.0.cc=python:gentle:X"],
        }.get(way, [])
        assert status("run", str(mine / "s.toml"), *more, "-q", "--no-report", "--out", "o") == 0
    assert (mine / "mark").exists()
    assert not foreign.mark.exists()


def test_an_installed_study_imports_nothing_from_a_current_folder_of_others(
    foreign: Foreign, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign.write("tabnanny.py", MODULE)
    foreign.write("site/planted_study.py", "import tabnanny\n")
    monkeypatch.syspath_prepend(str(foreign.folder / "site"))
    ac.trust(foreign.folder / "site")
    monkeypatch.delitem(sys.modules, "tabnanny", raising=False)
    status("study", "planted_study:STUDY", "--allow-code")
    assert sys.modules.pop("planted_study", None) is not None
    assert not foreign.mark.exists()


def test_the_source_that_the_user_has_read_is_what_runs(foreign: Foreign) -> None:
    hidden = foreign.write("hidden/planted.py", "raise RuntimeError('not what was read')\n")
    source = foreign.write("planted.py", MODULE)
    py_compile.compile(
        str(hidden),
        cfile=importlib.util.cache_from_source(str(source)),
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    foreign.write("s.toml", SCENARIO)
    assert status("run", "s.toml", "--allow-code", "-q", "--no-report") == 0
    assert foreign.mark.exists()


def test_an_archive_permits_what_is_unpacked_from_it(foreign: Foreign, tmp_path: Path) -> None:
    archive, unpacked = foreign.folder / "paper.zip", tmp_path / "temporary"
    (unpacked / "below").mkdir(parents=True)
    study = unpacked / "study.py"
    study.write_text("", encoding="utf-8")
    with session(Permission("ask")), granting.standing_for(unpacked, archive):
        with pytest.raises(ac.NotTrustedError, match=r"^paper\.zip: it brings Python code, study"):
            granting.require_files([study], unpacked)
        granting.allow(foreign.folder)
        granting.require_files([study], unpacked)
        assert granting.is_permitted(unpacked / "below")
    assert not granting.is_permitted(unpacked)


def test_a_folder_in_an_archives_place_stands_for_itself(foreign: Foreign) -> None:
    granting.allow(foreign.folder)
    inner = foreign.folder / "paper"
    inner.mkdir()
    with session(Permission("ask")), granting.standing_for(inner, inner):
        assert granting._stand_ins == {}


def test_a_module_without_a_file_is_named(foreign: Foreign) -> None:
    with (
        session(Permission("ask")),
        pytest.raises(ac.NotTrustedError, match=r"names Python code, the module 'sys', and"),
    ):
        granting.require(["sys"], [foreign.folder], "s.toml")
