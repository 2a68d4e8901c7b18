"""Kernels in virtual time: what is built, how it is booted, and errors in a line."""

import json
import os
from pathlib import Path

import pytest

import ackclock as ac
from ackclock.engine.linux import LinuxError, run_on_linux
from ackclock.engine.linux.virtual.booting import work_in_virtual_time
from ackclock.engine.linux.virtual.building import build, newest_package
from ackclock.engine.linux.virtual.kernels import (
    FACTS,
    PROGRAM,
    VirtualKernel,
    built,
    folder_of_kernels,
    virtual,
)
from ackclock.validation.random.running import play_random
from virtual_kernels import FACTS_OF_A_KERNEL, a_real_one, keep, program


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder_of_kernels().mkdir(parents=True)
    return tmp_path


@pytest.mark.usefixtures("cache")
def test_without_a_kernel_the_message_says_how_to_build_one() -> None:
    with pytest.raises(LinuxError, match="ackclock kernel build"):
        virtual()


def test_a_wrong_name_gets_the_nearest(cache: Path) -> None:
    keep(cache, "mine")
    with pytest.raises(LinuxError, match=r"no kernel 'mime', only mine.*did you mean"):
        virtual("mime")


def test_the_newest_release_is_the_default_and_unfinished_builds_do_not_count(cache: Path) -> None:
    keep(cache, "old", release="6.12.1")
    keep(cache, "new", release="7.3.4")
    (folder_of_kernels() / "unfinished").mkdir()
    assert [kernel.name for kernel in built()] == ["new", "old"]
    assert virtual().name == "new"
    assert virtual().kernel.has_sysctl("tcp_rto_max_ms")
    assert not virtual().kernel.has_sysctl("tcp_frto")


@pytest.mark.parametrize("text", ["", "{", "[]", "{}"])
def test_damaged_facts_end_in_a_line(cache: Path, text: str) -> None:
    (keep(cache, "torn") / FACTS).write_text(text)
    with pytest.raises(LinuxError, match="build again"):
        built()


@pytest.mark.usefixtures("cache")
def test_what_is_no_source_is_refused_before_anything_is_built(tmp_path: Path) -> None:
    with pytest.raises(LinuxError, match=r"no source of a kernel|building a kernel needs"):
        build("mine", source=tmp_path)
    with pytest.raises(LinuxError, match="no name of a kernel"):
        build("../mine", source=tmp_path)
    assert built() == []


def test_a_build_that_cannot_begin_leaves_the_kernel_of_its_name(
    cache: Path, tmp_path: Path
) -> None:
    keep(cache, "mine")
    with pytest.raises(LinuxError):
        build("mine", source=tmp_path)
    assert [kernel.name for kernel in built()] == ["mine"]


MAKE = """#!/bin/sh
for word; do case "$word" in O=*) objects="${word#O=}";; esac; done
case "$*" in
*allnoconfig) printf 'CONFIG_UML_TIME_TRAVEL_SUPPORT=y\nCONFIG_HOSTFS=y\nCONFIG_HZ=250\n' \
  > "$objects/.config";;
*) echo "$objects" >> "$(dirname "$0")/builds"; cp "$(dirname "$0")/linux" "$objects/linux";;
esac
"""
"""In the place of make: notes the folder of the objects, and makes a program that has facts."""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree that the tools before it on the path pretend to build."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("gcc", "flex", "bison", "bc", "perl", "tar", "xz"):
        (tools / tool).write_text("#!/bin/sh\n")
    (tools / "make").write_text(MAKE)
    facts = json.dumps({"answer": FACTS_OF_A_KERNEL})
    program(tools, f"echo '{facts}' >> said").joinpath(PROGRAM).chmod(0o755)
    for path in tools.iterdir():
        path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    source = tmp_path / "source"
    (source / "arch/um").mkdir(parents=True)
    (source / "arch/um/Kconfig").touch()
    (source / "Kconfig").write_text('mainmenu "Linux"\n')
    return source


@pytest.mark.usefixtures("cache")
def test_the_objects_of_a_tree_stay_for_its_next_build(tree: Path) -> None:
    first, again = build("first", source=tree), build("again", source=tree)
    assert [kernel.name for kernel in built()] == ["again", "first"]
    assert first.digest == again.digest
    folders = (tree.parent / "tools/builds").read_text().split()
    assert len(folders) == 2
    assert len(set(folders)) == 1
    assert Path(folders[0], "linux").exists()
    assert sorted(path.name for path in first.folder.iterdir()) == ["config", FACTS, PROGRAM]


@pytest.mark.usefixtures("cache")
def test_a_tree_is_built_by_one_command_at_a_time(tree: Path) -> None:
    def build_beside(step: str, _count: int) -> None:
        if step == "configuring":
            build("beside", source=tree)

    with pytest.raises(LinuxError, match="another command builds"):
        build("first", source=tree, progress=build_beside)


def test_the_newest_source_is_chosen_by_its_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ackclock.engine.linux.virtual.building._SOURCES", tmp_path)
    with pytest.raises(LinuxError, match="apt-get install"):
        newest_package()
    for version in ("6.9", "6.12", "5.19"):
        (tmp_path / f"linux-source-{version}.tar.xz").touch()
    assert newest_package() == "linux-source-6.12"


def test_messages_of_a_kernel_are_heard(tmp_path: Path) -> None:
    kernel = program(tmp_path, """echo '{"progress": 0.5}' >> said; echo '{"answer": 7}' >> said""")
    shares: list[float] = []
    work = tmp_path / "work"
    work.mkdir()
    assert work_in_virtual_time(kernel, work, "run", progress=shares.append) == 7
    assert 0.5 in shares
    assert set(shares) <= {0.0, 0.5}


def test_a_panic_is_named(tmp_path: Path) -> None:
    kernel = program(tmp_path, "echo 'Kernel panic - not syncing: no init'; exit 134")
    work = tmp_path / "work"
    work.mkdir()
    with pytest.raises(LinuxError, match="status 134 and without an answer: Kernel panic - not"):
        work_in_virtual_time(kernel, work, "run")


def test_a_complaint_is_named(tmp_path: Path) -> None:
    kernel = program(tmp_path, "echo 'Checking ptrace'; echo 'ptrace: not permitted'; exit 1")
    work = tmp_path / "work"
    work.mkdir()
    with pytest.raises(LinuxError, match="status 1 and without an answer: ptrace: not permitted"):
        work_in_virtual_time(kernel, work, "run")


def test_a_program_of_another_machine_is_named(tmp_path: Path) -> None:
    (program(tmp_path, "") / PROGRAM).write_bytes(b"\x7fELF")
    work = tmp_path / "work"
    work.mkdir()
    with pytest.raises(LinuxError, match=r"does not start \(.*\): build it again"):
        work_in_virtual_time(tmp_path, work, "run")


def test_a_machine_that_hangs_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ackclock.engine.linux.virtual.booting._SILENCE_S", 0.2)
    kernel = program(tmp_path, "echo $$ > number; exec sleep 1000")
    work = tmp_path / "work"
    work.mkdir()
    with pytest.raises(LinuxError, match="has said nothing"):
        work_in_virtual_time(kernel, work, "run")
    number = int((work / "number").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


@pytest.fixture
def kernel() -> VirtualKernel:
    return virtual(a_real_one())


@pytest.mark.slow
def test_a_lone_reno_loses_what_the_simulator_loses(kernel: VirtualKernel) -> None:
    scenario = ac.dumbbell(
        rate="10Mbit/s", rtt="60ms", buffer="50packets", flows=[ac.flow("reno")], duration="3s"
    )
    run, simulated = run_on_linux(scenario, virtual=kernel), ac.run(scenario)
    assert run.provenance is not None
    # Reading the clock costs virtual time; a packet's way through the emulator reads it a few
    # times.
    assert run.provenance["lateness"]["max"] < 10e-6
    # The slow start loses packets, so that an equal number is not zero.
    losses, expected = (result.flows["lost_packets"].item() for result in (run, simulated))
    assert losses == expected > 0


@pytest.mark.slow
def test_two_runs_of_a_seed_are_equal_and_another_seed_is_another_run(
    kernel: VirtualKernel,
) -> None:
    # BBR begins its cycle of gains at a random phase (tcp_bbr.c, bbr_reset_probe_bw_mode).
    scenario = ac.dumbbell(
        rate="5Mbit/s",
        rtt="40ms",
        buffer="1bdp",
        flows=[ac.flow("bbr"), ac.flow("cubic")],
        duration="3s",
    )
    first, again, other = (run_on_linux(scenario, seed=seed, virtual=kernel) for seed in (1, 1, 4))
    assert first.brief() == again.brief()
    assert first.provenance == again.provenance
    assert first.brief()["flows"] != other.brief()["flows"]


@pytest.mark.slow
def test_random_scripts_agree_and_give_one_report(kernel: VirtualKernel) -> None:
    # In virtual time no script is disturbed. 9 of 500 of BBR's differed when this was written.
    first, again = (
        play_random(60, ccs=["reno", "bbr"], shrink=0, virtual=kernel) for _ in range(2)
    )
    assert first.as_json() == again.as_json()
    assert [(result.scripts, result.disturbed) for result in first.results] == [(60, 0)] * 2
    assert all(result.share >= 0.9 for result in first.results)
