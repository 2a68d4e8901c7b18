"""Only the modules below touch files by themselves; all others go through `ackclock.atomic_io`.

A folder of results may come from a stranger, with links in it. `ackclock.atomic_io` reaches files
beneath an opened folder and follows no link there, so a module that reads or writes such a folder
takes its functions: `read_json(folder, name)`, `is_file`, `files_of`, `whole_file(beneath=...)`.
"""

import ast
from pathlib import Path

import pytest

import ackclock

ROOT = Path(ackclock.__file__).parents[1]
PAPERS = ROOT.parent / "papers" / "src"

METHODS = {
    "chmod",
    "glob",
    "hardlink_to",
    "iterdir",
    "mkdir",
    "read_bytes",
    "read_parquet",
    "read_text",
    "rglob",
    "rmdir",
    "savefig",
    "scan_parquet",
    "sink_parquet",
    "symlink_to",
    "touch",
    "unlink",
    "write_bytes",
    "write_parquet",
    "write_text",
}
MODULES = {
    "os": {
        *("link", "listdir", "makedirs", "mkdir", "open", "remove", "rename", "replace", "rmdir"),
        *("scandir", "symlink", "unlink", "walk"),
    },
    "shutil": {"copy", "copy2", "copyfile", "copytree", "move", "rmtree"},
    "tempfile": {"NamedTemporaryFile", "TemporaryDirectory", "mkdtemp", "mkstemp"},
    "zipfile": {"ZipFile", "is_zipfile"},
}

OWN = "files of the package, or of the source tree"
STAGED = "in a temporary folder of this process, which is new"
NAMED = "a folder that the user named: it is made, or its names are listed"
INPUT = "a file that the user or a scenario names, checked to be a file"
SYSTEM = "files of the system"
ARCHIVE = "an archive, or the files of a study that is code of the user"

ALLOWED = {
    "ackclock/__main__.py": "the null device",
    "ackclock/tools/archives/archive.py": ARCHIVE,
    "ackclock/tools/archives/diffing.py": ARCHIVE,
    "ackclock/tools/archives/packing.py": ARCHIVE,
    "ackclock/tools/archives/study.py": ARCHIVE,
    "ackclock/tools/archives/verifying.py": STAGED,
    "ackclock/pages/rpc/folder.py": STAGED,
    "ackclock/pages/rpc/questions.py": STAGED,
    "ackclock/tools/pcap/saving.py": STAGED,
    "ackclock/cli/completion/names.py": "names for a shell alone",
    "ackclock/cli/examples_command.py": OWN,
    "ackclock/cli/one_sweep.py": "a folder that this command made, removed again; no link followed",
    "ackclock/cli/plotting.py": NAMED,
    "ackclock/cli/terminal.py": "the null device",
    "ackclock/cli/video_trace_command.py": NAMED,
    "ackclock/engine/cost_model/machine.py": SYSTEM,
    "ackclock/evaluation/data/make_film.py": OWN,
    "ackclock/templates/examples/catalogue.py": OWN,
    "ackclock/templates/examples/copying.py": NAMED,
    "ackclock/views/figure.py": STAGED,
    "ackclock/golden/running.py": OWN,
    "ackclock/tools/runs/listing.py": "walks without following links",
    "ackclock/engine/linux/running.py": STAGED,
    "ackclock/engine/linux/virtual/booting.py": STAGED,
    "ackclock/engine/linux/virtual/building.py": "the user's cache of kernels, and sources",
    "ackclock/engine/linux/virtual/inside.py": STAGED,
    "ackclock/engine/linux/virtual/kernels.py": "the user's cache of kernels",
    "ackclock/engine/linux/worker.py": STAGED,
    "ackclock/pages/live/interpreter.py": OWN,
    "ackclock/pages/live/page.py": OWN,
    "ackclock/packetdrill/kernel.py": NAMED,
    "ackclock/packetdrill/suite.py": NAMED,
    "ackclock/runtime/permission/folders.py": "the user's folder of settings",
    "ackclock/plot/overview.py": NAMED,
    "ackclock/plot/sweep/__init__.py": NAMED,
    "ackclock/pages/run/scripts/__init__.py": OWN,
    "ackclock/results/docs.py": OWN,
    "ackclock/results/files.py": STAGED,
    "ackclock/results/recording.py": STAGED,
    "ackclock/results/result.py": STAGED,
    "ackclock/scenario/cdf.py": OWN,
    "ackclock/scenario/own.py": "code of the user",
    "ackclock/scenario/paths.py": INPUT,
    "ackclock/templates/filling.py": STAGED,
    "ackclock/templates/in_rust.py": OWN,
    "ackclock/studies/tools/checking.py": ARCHIVE,
    "ackclock/studies/tools/exporting.py": ARCHIVE,
    "ackclock/studies/tools/finding.py": ARCHIVE,
    "ackclock/studies/tools/owning.py": ARCHIVE,
    "ackclock/studies/writing.py": STAGED,
    "ackclock/sweeps/elsewhere.py": "the link to a store that the user named",
    "ackclock/sweeps/own_code.py": "code of the user",
    "ackclock/sweeps/store.py": "its folders are looked at for links, its files opened without",
    "ackclock/validation/cases.py": OWN,
    "ackclock/validation/notes.py": OWN,
    "ackclock/validation/random/running.py": STAGED,
    "ackclock/validation/random/writing.py": STAGED,
    "ackclock/validation/storing.py": STAGED,
    "ackclock/validation/writing.py": STAGED,
    "ackclock/scenario/video/reading.py": INPUT,
    "ackclock/messages.py": "names for a message alone",
    "ackclock_papers/small_buffers/curves.py": OWN,
}
"""Modules that touch files by themselves, and why they may."""


def touches(text: str) -> set[str]:
    """Calls in a module that touch files or folders by a path."""
    calls = set()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Name) and called.id == "open":
            calls.add("open")
        if not isinstance(called, ast.Attribute):
            continue
        owner = called.value.id if isinstance(called.value, ast.Name) else ""
        is_mode = bool(node.args) and isinstance(node.args[0], ast.Constant)
        if owner in MODULES:
            if called.attr in MODULES[owner]:
                calls.add(f"{owner}.{called.attr}")
        elif called.attr in METHODS or (called.attr == "open" and is_mode):
            calls.add(called.attr)
    return calls


def modules() -> dict[str, Path]:
    """Modules outside of the border's own package, by their path in its distribution."""
    return {
        name: path
        for sources in (ROOT, PAPERS)
        for path in sorted(sources.rglob("*.py"))
        if not (name := path.relative_to(sources).as_posix()).startswith("ackclock/atomic_io/")
    }


def test_only_known_modules_touch_files_by_themselves() -> None:
    new = {
        name: sorted(calls)
        for name, path in modules().items()
        if (calls := touches(path.read_text(encoding="utf-8"))) and name not in ALLOWED
    }
    assert not new, f"take the functions of ackclock.atomic_io, or say here why not: {new}"


def test_each_exception_is_used() -> None:
    known = modules()
    stale = [
        name
        for name in ALLOWED
        if name not in known or not touches(known[name].read_text(encoding="utf-8"))
    ]
    assert not stale


@pytest.mark.parametrize(
    "line", ["Path(x).read_text()", "open(x)", "x.open('rb')", "os.unlink(x)", "pl.read_parquet(x)"]
)
def test_a_call_that_touches_a_file_is_seen(line: str) -> None:
    assert touches(line)
