"""Exported scripts say what our transcripts say: the simulator plays both alike."""

from pathlib import Path

import pytest

from ackclock.packetdrill.host import NotApplicableError, base_host
from ackclock.packetdrill.script import parse, play
from ackclock.packetdrill.transcript import (
    RefusalError,
    Transcript,
    TranscriptError,
    export,
    read_transcript,
)
from packetdrill_scripts import CLAIM

FOLDER = Path(__file__).parents[2] / "crates/packetdrill/tests/transcripts"
TRANSCRIPTS = sorted(FOLDER.glob("*.pkt"))
OF_KERNELS = [path for path in TRANSCRIPTS if "profile=linux" in path.read_text()]
# What only a kernel can be asked.
_LEFT_OUT = ("`awk", "MSG_MORE", "tcpi_segs_out")


def written(tmp_path: Path, *settings: str, text: str = CLAIM) -> Transcript:
    file = tmp_path / "claim.pkt"
    mark = "// ackclock: mss=1000\n"
    file.write_text(
        text.replace(mark, mark + "".join(f"// ackclock: {setting}\n" for setting in settings))
    )
    return read_transcript(file)


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_every_transcript_passes_and_is_written_or_refused_with_a_reason(path: Path) -> None:
    transcript = read_transcript(path)
    script = transcript.script
    assert script.profile is not None
    played = play(script, base_host(script.profile, ()), path.parent)
    assert played.problem is None, "\n".join([*played.exchange, played.problem])
    if script.refusal is None:
        assert "\n+" in export(transcript)
    else:
        with pytest.raises(RefusalError) as refused:
            export(transcript)
        assert str(refused.value) == script.refusal


@pytest.mark.parametrize("path", OF_KERNELS, ids=lambda path: path.stem)
def test_the_simulator_passes_what_is_written_of_its_own_transcripts(path: Path) -> None:
    transcript = read_transcript(path)
    if transcript.script.refusal is not None:
        return
    detects_by_sack = "loss_detection=sack" in path.read_text()
    settings = ["loss_detection=sack"] if detects_by_sack else []
    script = export(transcript)
    if any(part in script for part in _LEFT_OUT):
        with pytest.raises(NotApplicableError):
            play(parse(script), base_host("linux", settings), path.parent)
        return
    played = play(parse(script), base_host("linux", settings), path.parent)
    assert played.problem is None, "\n".join([*played.exchange, played.problem])


def test_most_transcripts_of_the_profile_can_be_asked_about() -> None:
    asked = [path for path in OF_KERNELS if read_transcript(path).script.refusal is None]
    assert len(asked) > len(OF_KERNELS) * 3 / 4


def test_lines_get_timestamps_and_a_kernels_tolerance(tmp_path: Path) -> None:
    lines = CLAIM.replace("65535\n", "65535 <sack 3001:4001>\n", 1).splitlines()
    segments = "+0 %{ assert tcpi_data_segs_out == 14 }%"
    lines = [*lines[:11], "+0 > P. 10001:14001(4000) ack 1", lines[-1], segments]
    script = export(written(tmp_path, text="\n".join(lines)))
    assert "--tolerance_usecs=12000" in script
    assert "+0.000000 > P. 1:10001(10000) ack 1 <nop,nop,TS val 1100 ecr 1100>" in script
    assert (
        "+0.100000 < . 1:1(0) ack 1001 win 65535 <nop,nop,TS val 1200 ecr 1100,nop,nop,sack "
        "3001:4001>" in script
    )
    assert "%{ assert tcpi_snd_cwnd == 11, (tcpi_snd_cwnd) }%" in script
    assert "%{ assert tcpi_data_segs_out == 14, tcpi_data_segs_out }%" in script


def test_settings_become_sysctls_routes_and_socket_options(tmp_path: Path) -> None:
    text = CLAIM.split("+0 > P.", maxsplit=1)[0] + "+0 > P. 1:4001(4000) ack 1\n"
    settings = ("initial_window=4 segments", "tail_loss_probe=false", "tso_defer=false", "cc=cubic")
    script = export(written(tmp_path, *settings, "pacing=cwnd", text=text))
    assert "initcwnd 4" in script
    assert "sysctl -q net.ipv4.tcp_early_retrans=0" in script
    assert "gso_max_segs 1" in script
    assert "SO_MAX_PACING_RATE" in script
    assert 'TCP_CONGESTION, "cubic", 5' in script


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ("ack_counting=packets", "ack_counting packets: the kernel has no such setting"),
        (
            "initial_ssthresh=5 segments",
            "initial_ssthresh: a kernel's connection begins without one",
        ),
        ("cc=vegas", "cc vegas"),
    ],
)
def test_what_no_kernel_is_refused_says_why(tmp_path: Path, setting: str, reason: str) -> None:
    assert written(tmp_path, setting).script.refusal == reason


def test_a_kernels_quick_acks_are_sixteen_or_none() -> None:
    name = "receiver-acks-each-segment-at-the-start.pkt"
    reason = "quick_acks 3: the kernel's are 16 or none"
    assert read_transcript(FOLDER / name).script.refusal == reason


def test_what_the_simulator_does_otherwise_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(RefusalError, match="the simulator does otherwise: after the last "):
        export(written(tmp_path, text=CLAIM.replace("10001:12001(2000)", "10001:11001(1000)")))


@pytest.mark.parametrize(
    "line",
    [
        "+0 ? data 0:1",
        "+0 > jump",
        "+x > S 0:0(0)",
        "// ackclock: mss",
        "// ackclock: =1",
        "// ackclock: profile=lynx",
        "// ackclock: tolerance=far",
    ],
)
def test_a_line_that_is_no_transcript_is_said_with_its_place(tmp_path: Path, line: str) -> None:
    file = tmp_path / "claim.pkt"
    file.write_text(f"// A claim.\n// ackclock: mss=1000\n\n{line}\n")
    with pytest.raises(TranscriptError, match=r"claim\.pkt: line 4"):
        read_transcript(file)


@pytest.mark.parametrize(
    ("was", "becomes", "says"),
    [
        ("== 11", "== 12", "tcpi_snd_cwnd is 11"),
        ("10001:12001(2000)", "10001:11001(1000)", "after the last line: not expected: "),
        ("+0 > P. 10001", "+.00001 > P. 10001", "at 0.200000 s, expected at 0.200010 s"),
        ("+0 > P. 1:", "+.001 < . 1:1(0) ack 1 win 1\n+0 > P. 1:", "not expected: "),
        ("12001(2000)", "12001(2000) ack 1 <sack 1:2>\n//", "expected sack 1:2"),
        ("tcpi_snd_cwnd == 11", "undos == 1", "undos is 0"),
        ("profile=linux", "no_such_option=1", "the header's no_such_option: not an option"),
        ("mss=1000", "mss=0", "the header: mss and initial window must be positive"),
        ("mss=1000", "min_rto=soon", "the header's min_rto: "),
    ],
)
def test_a_transcript_that_the_host_does_not_follow_fails(
    tmp_path: Path, was: str, becomes: str, says: str
) -> None:
    assert was in CLAIM
    transcript = written(tmp_path, text=CLAIM.replace(was, becomes))
    try:
        problem = play(transcript.script, base_host("linux", ()), tmp_path).problem
    except NotApplicableError as reason:
        problem = str(reason)
    assert problem is not None
    assert says in problem
