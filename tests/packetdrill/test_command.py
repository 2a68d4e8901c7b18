"""``ackclock packetdrill`` from end to end."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from ackclock.cli import main
from packetdrill_scripts import CLAIM, RECEIVES, SENDS, suite

Capture = pytest.CaptureFixture[str]
WRONG = SENDS.replace("== 10", "== 11")


def status(*arguments: object) -> object:
    with pytest.raises(SystemExit) as stopped:
        main([str(argument) for argument in ("packetdrill", *arguments)])
    return stopped.value.code


def expectations(folder: Path, *known: str) -> Path:
    file = folder / "expect.toml"
    file.write_text(
        "".join(f'[known."{name}"]\nright = "script"\nwhy = "it is ten"\n' for name in known)
    )
    return file


def test_a_table_by_topic_and_what_does_not_apply(tmp_path: Path, capsys: Capture) -> None:
    folder = suite(tmp_path, sends=SENDS, receives=RECEIVES, other="0 epoll_create(1) = 4\n")
    assert status(folder) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[:3] == ["Not applicable:", "  topic/other.pkt: epoll_create()", ""]
    assert said[3].split() == ["topic", "scripts", "applicable", "passed", "failed", "known"]
    assert said[4].split() == ["topic", "3", "2", "2", "0", "0"]
    assert said[5].split() == ["all", "3", "2", "2", "0", "0"]


def test_an_unexpected_failure_or_pass_is_status_1(tmp_path: Path, capsys: Capture) -> None:
    folder = suite(tmp_path, sends=SENDS, wrong=WRONG)
    assert status(folder) == 1
    assert "failed: topic/wrong.pkt: line 13: " in capsys.readouterr().out
    assert status(folder, "--expect", expectations(tmp_path, "topic/wrong.pkt")) == 0
    assert "known: topic/wrong.pkt: script right: it is ten" in capsys.readouterr().out
    assert (
        status(folder, "--expect", expectations(tmp_path, "topic/wrong.pkt", "topic/sends.pkt"))
        == 1
    )
    assert (
        "unexpected pass: topic/sends.pkt: expected to fail: it is ten" in capsys.readouterr().out
    )
    assert (
        status(folder, "--expect", expectations(tmp_path, "topic/wrong.pkt", "topic/gone.pkt")) == 1
    )
    assert "stale: topic/gone.pkt" in capsys.readouterr().out


def test_json_has_everything(tmp_path: Path, capsys: Capture) -> None:
    assert status(suite(tmp_path, sends=SENDS, wrong=WRONG), "--json") == 1
    said = json.loads(capsys.readouterr().out)
    assert said["total"] == {"scripts": 2, "applicable": 2, "passed": 1, "failed": 1, "known": 0}
    assert said["topics"] == {"topic": said["total"]}
    assert [script["verdict"] for script in said["scripts"]] == ["passed", "failed"]
    assert said["as_expected"] is False
    assert any("4001:5001(1000)" in line for line in said["scripts"][0]["exchange"])


def test_verbose_shows_the_exchange(tmp_path: Path, capsys: Capture) -> None:
    assert status(suite(tmp_path, sends=SENDS), "--verbose") == 0
    assert "    0.100010  > P. 4001:5001(1000) ack 1" in capsys.readouterr().out


def test_settings_and_profiles_are_the_hosts(tmp_path: Path) -> None:
    folder = suite(tmp_path, sends=SENDS)
    assert status(folder, "--set", "initial_window=4 packets") == 1
    assert status(folder, "--profile", "classic") == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            [],
            (
                "ackclock packetdrill: which scripts? Name a file or a folder; docs/packetdrill.md "
                "says where to get some; "
            ),
        ),
        (
            ["nowhere"],
            "nowhere: no such file or folder; get a suite first, as docs/packetdrill.md says",
        ),
        ([".", "--expect", "none.toml"], "none.toml: there is no such file"),
        ([".", "--set", "quick_ackz=1"], "quick_ackz"),
        (
            ["--export", "out", "--set", "mss=1kB"],
            "--profile and --set are of the simulator's host",
        ),
        (
            ["claim.pkt", "--kernel", "no-such-program"],
            "no-such-program: no such program; docs/packetdrill.md says how",
        ),
        (["none.pkt", "--export", "out"], "none.pkt: no such file or folder"),
        (["bad.pkt", "--export", "out"], "bad.pkt: line 3: "),
        (["no-host.pkt", "--export", "out"], "no-host.pkt: no line says the host: a transcript"),
    ],
)
def test_what_is_wrong_is_one_line_and_status_2(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
    arguments: list[str],
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    suite(tmp_path, sends=SENDS)
    (tmp_path / "claim.pkt").write_text(CLAIM)
    (tmp_path / "bad.pkt").write_text("// A claim.\n// ackclock: profile=linux\n+0 ? x\n")
    (tmp_path / "no-host.pkt").write_text(SENDS)
    assert status(*arguments) == 2
    said = capsys.readouterr()
    assert says in said.err
    assert len(said.err.splitlines()) == 1
    assert said.out == ""


def test_transcripts_are_written_as_scripts(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "claim.pkt").write_text(CLAIM)
    (tmp_path / "no-claim.pkt").write_text(CLAIM.replace("profile=linux", "profile=classic"))
    out = tmp_path / "out"
    assert status(tmp_path, "--export", out) == 0
    said = capsys.readouterr().out
    assert said == f"1 of 2 transcripts are in {out}\n  left out: no-claim: profile classic\n"
    assert [path.name for path in out.iterdir()] == ["claim.pkt"]
    # What is written is a script that our own host passes.
    assert status(out / "claim.pkt", "--set", "cc=reno") == 0


def _has_namespaces() -> bool:
    prefix = ["unshare", "-n"] if os.geteuid() == 0 else ["unshare", "-r", "-n"]
    try:
        return (
            subprocess.run(
                [*prefix, "ip", "link", "set", "lo", "up"], capture_output=True, check=False
            ).returncode
            == 0
        )
    except FileNotFoundError:
        return False


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """In the place of packetdrill: it says what a kernel said."""
    if not _has_namespaces():
        pytest.skip("this machine permits no network namespace")
    file = tmp_path / "packetdrill"
    file.write_text(
        "#!/bin/sh\n"
        # A kernel that pushes the second burst, too.
        'if grep -q "> \\. 10001:12001" "$1"; then\n'
        '  echo "$1:$(grep -n "> . 10001:12001" "$1" | cut -d: -f1): x tcp_psh: expected: 0 (0x0) '
        'vs actual: 1 (0x1)" >&2; exit 1\n'
        "fi\n"
        'case "$1" in *wrong*) echo "$1:9: live packet payload: expected 1 vs actual 2" >&2; exit '
        "1;; esac\n"
    )
    file.chmod(0o755)
    return file


def test_the_kernels_share_and_what_it_does_otherwise(
    tmp_path: Path, program: Path, capsys: Capture
) -> None:
    folder = tmp_path / "transcripts"
    folder.mkdir()
    for name in ("right", "wrong"):
        (folder / f"{name}.pkt").write_text(CLAIM)
    (folder / "unasked.pkt").write_text(CLAIM.replace("profile=linux", "profile=classic"))
    assert status(folder, "--kernel", program) == 1
    said = capsys.readouterr().out
    assert "agrees with 1 of 2 transcripts that it can be asked about." in said
    assert "  disagrees: wrong: line 9: live packet payload: expected 1 vs actual 2\n" in said
    assert "It cannot be asked about 1:\n  unasked: profile classic\n" in said
    assert status(folder, "--kernel", program, "--expect", expectations(tmp_path, "wrong")) == 0
    assert "  known: wrong: script right: it is ten\n" in capsys.readouterr().out
    assert (
        status(
            folder,
            "--kernel",
            program,
            "--expect",
            expectations(tmp_path, "wrong", "right"),
            "--json",
        )
        == 1
    )
    report = json.loads(capsys.readouterr().out)
    assert (report["asked"], report["agrees"], report["as_expected"]) == (2, 1, False)
    assert [transcript["verdict"] for transcript in report["transcripts"]] == [
        "unexpected agreement",
        "not asked",
        "known",
    ]
