"""Exported packetdrill scripts say what our transcripts say: the simulator plays both alike."""

from pathlib import Path

import pytest

from ackclock.packetdrill.export import RefusalError, export, refusal
from ackclock.packetdrill.host import NotApplicableError, base_host
from ackclock.packetdrill.language import parse
from ackclock.packetdrill.player import play
from ackclock.packetdrill.transcript import Transcript, TranscriptError, read_transcript

TRANSCRIPTS = sorted((Path(__file__).parents[2] / "crates/sim/tests/transcripts").glob("*.pkt"))
OF_KERNELS = [path for path in TRANSCRIPTS if "\nprofile linux" in path.read_text()]
# What only a kernel can be asked.
_LEFT_OUT = ("`awk", "MSG_MORE", "tcpi_segs_out")


def written(tmp_path: Path, text: str) -> Transcript:
    file = tmp_path / "claim.pkt"
    file.write_text(f"# A claim.\nprofile linux\nset mss 1000\n{text}")
    return read_transcript(file)


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_every_transcript_is_written_or_refused_with_a_reason(path: Path) -> None:
    transcript = read_transcript(path)
    reason = refusal(transcript)
    if reason is None:
        assert parse(export(transcript)).events
    else:
        with pytest.raises(RefusalError) as refused:
            export(transcript)
        assert str(refused.value) == reason


@pytest.mark.parametrize("path", OF_KERNELS, ids=lambda path: path.stem)
def test_the_simulator_passes_what_is_written_of_its_own_transcripts(path: Path) -> None:
    transcript = read_transcript(path)
    if refusal(transcript) is not None:
        return
    settings = [
        f"{key}={value}" for key, value in transcript.settings.items() if key == "loss_detection"
    ]
    script = export(transcript)
    if any(part in script for part in _LEFT_OUT):
        with pytest.raises(NotApplicableError):
            play(parse(script), base_host("linux", settings), path.parent)
        return
    played = play(parse(script), base_host("linux", settings), path.parent)
    assert played.problem is None, "\n".join([*played.exchange, played.problem])


def test_most_transcripts_of_the_profile_can_be_asked_about() -> None:
    asked = [path for path in OF_KERNELS if refusal(read_transcript(path)) is None]
    assert len(asked) > len(OF_KERNELS) * 3 / 4


def test_lines_become_packets_with_timestamps_and_a_syn_that_counts(tmp_path: Path) -> None:
    script = export(
        written(
            tmp_path,
            "window 4000\n+0 > data 0:4000\n+0.1 < ack 1000 sack 2000:3000\n+0 * cwnd == 10\n",
        )
    )
    assert "+0.000000 > P. 1:4001(4000) ack 1 <nop,nop,TS val 1100 ecr 1100>" in script
    assert (
        "+0.100000 < . 1:1(0) ack 1001 win 250 <nop,nop,TS val 1200 ecr 1100,nop,nop,sack "
        "2001:3001>" in script
    )
    assert "%{ assert tcpi_snd_cwnd == 10, (tcpi_snd_cwnd) }%" in script
    assert "%{ assert tcpi_data_segs_out == 4, tcpi_data_segs_out }%" in script


def test_settings_become_sysctls_routes_and_socket_options(tmp_path: Path) -> None:
    text = (
        "set initial_window 4 segments\nset tail_loss_probe false\nset tso_defer false\nset "
        "pacing cwnd\ncc cubic\n+0 > data 0:4000\n"
    )
    script = export(written(tmp_path, text))
    assert "initcwnd 4" in script
    assert "sysctl -q net.ipv4.tcp_early_retrans=0" in script
    assert "gso_max_segs 1" in script
    assert "SO_MAX_PACING_RATE" in script
    assert 'TCP_CONGESTION, "cubic", 5' in script


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("set ack_counting packets\n", "ack_counting packets: the kernel has no such setting"),
        (
            "set initial_ssthresh 5 segments\n",
            "initial_ssthresh: a kernel's connection begins without one",
        ),
        ("cc vegas\n", "cc vegas"),
        ("side receiver\nset quick_acks 3\n", "quick_acks 3: the kernel's are 16 or none"),
    ],
)
def test_what_no_kernel_is_refused_says_why(tmp_path: Path, text: str, reason: str) -> None:
    assert refusal(written(tmp_path, text)) == reason


@pytest.mark.parametrize(
    "line", ["+0 ? data 0:1", "+0 > jump", "+x > syn", "set", "sidee sender", "+0 * cwnd = 3"]
)
def test_a_line_that_is_no_transcript_is_said_with_its_place(tmp_path: Path, line: str) -> None:
    if line == "set":
        line = "app none"
    with pytest.raises(TranscriptError, match=r"claim\.pkt: line 4"):
        written(tmp_path, f"{line}\n")
