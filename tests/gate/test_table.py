"""Is the table of steps one that `.ci/run` can keep its promise with?"""

import re
import subprocess

from gate_tools import ROOT, inputs, records, steps

STEPS, _ = steps.read_steps(ROOT / ".ci/steps.toml")
GATE_SECONDS = 15 * 60


def test_the_budgets_of_every_gate_fit_into_fifteen_minutes() -> None:
    # The machine's speed is measured and packages of Debian are installed besides: a minute.
    assert sum(step.budget for step in STEPS if step.always) <= GATE_SECONDS - 60


def test_the_gate_calls_the_test_command_of_the_readme() -> None:
    assert "make test " in (ROOT / "README.md").read_text(encoding="utf-8")
    assert [step.run for step in STEPS if step.name == "test"] == ["make test"]
    assert next(step for step in STEPS if step.name == "test").always


def test_each_name_is_there_once() -> None:
    names = [step.name for step in STEPS]
    assert len(names) == len(set(names))


def test_each_pattern_matches_files() -> None:
    # A renamed folder would otherwise never be checked again.
    project = inputs.Inputs(ROOT)
    for step in STEPS:
        for pattern in step.when:
            assert project.files((pattern,)), f"step {step.name}: '{pattern}' matches no file"


def test_each_make_target_exists() -> None:
    said = subprocess.run(
        ["make", "-qp", "-f", "Makefile", ":"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    targets = {line.split(":")[0] for line in said.splitlines() if ":" in line}
    for step in STEPS:
        for command in step.run.split(" && "):
            if command.startswith("make "):
                assert command.split()[1] in targets, command


def test_the_nightly_step_leaves_out_what_other_steps_test() -> None:
    long = {step.name: step.run for step in STEPS if step.run.startswith("make test-long")}
    # As the shell and make expand the command.
    said = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", long.pop("long").replace("make ", "make -n ", 1)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    left_out = re.findall(r"--ignore=(\S+)", said)
    named = re.findall(r"tests/\w+(?=[\s']|$)", " ".join(long.values()))
    assert len(named) > 10
    assert sorted(named) == sorted(left_out)


def test_the_record_names_steps_that_exist() -> None:
    kept = records.Records(ROOT / "bench/nightly.json")
    dated = {step.name for step in STEPS if not step.always}
    assert set(kept.names()) <= dated


def test_docs_checks_says_what_each_suite_protects() -> None:
    rows = re.findall(
        r"^\| `(.*?)` \|", (ROOT / "docs/checks.md").read_text(encoding="utf-8"), re.M
    )
    suites = {
        file.parent.relative_to(ROOT).as_posix() for file in (ROOT / "tests").glob("*/test_*.py")
    } | {folder.relative_to(ROOT).as_posix() for folder in ROOT.glob("crates/*/tests")}
    assert suites <= set(rows)
    gone = [
        row for row in rows if row.startswith(("tests/", "crates/")) and not any(ROOT.glob(row))
    ]
    assert gone == []
