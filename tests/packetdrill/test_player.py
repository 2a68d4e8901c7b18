"""Scripts of our own on the simulator's sender and receiver."""

from pathlib import Path

import pytest

from ackclock.packetdrill.host import NotApplicableError, base_host
from ackclock.packetdrill.script import Played, parse, play
from ackclock.scenario.errors import ScenarioError
from packetdrill_scripts import HANDSHAKE, RECEIVES, SENDS


def played(text: str, *settings: str, folder: Path = Path()) -> Played:
    return play(parse(text), base_host("linux", settings), folder)


def test_a_sender_and_a_receiver_that_do_as_they_should() -> None:
    assert played(SENDS).problem is None
    assert played(RECEIVES).problem is None


def test_the_exchange_is_told() -> None:
    exchange = "\n".join(played(SENDS).exchange)
    assert "0.100010  > P. 4001:5001(1000) ack 1" in exchange
    assert "0.200000  < . 1:1(0) ack 5001 win 1000" in exchange


@pytest.mark.parametrize(
    ("was", "becomes", "says"),
    [
        ("P. 1:5001(5000)", "P. 1:6001(6000)", "nothing was sent until 0.1"),
        ("P. 1:5001(5000)", "P. 1:4501(4500)", "expected bytes up to 4501"),
        ("P. 1:5001(5000)", "FP. 1:5001(5000)", "expected a FIN"),
        ("P. 1:5001(5000)", "PW. 1:5001(5000)", "expected CWR"),
        ("   +0 > P. 1:5001", "+.05 > P. 1:5001", "at 0.100010 s, expected at 0.150000 s"),
        (
            "tcpi_snd_cwnd == 10",
            "tcpi_snd_cwnd == 11",
            "assert tcpi_snd_cwnd == 11: tcpi_snd_cwnd is 10",
        ),
    ],
)
def test_a_sender_that_does_otherwise_is_found_out(was: str, becomes: str, says: str) -> None:
    problem = played(SENDS.replace(was, becomes)).problem
    assert problem is not None
    assert says in problem


@pytest.mark.parametrize(
    ("was", "becomes", "says"),
    [
        ("ack 1001\n", "ack 1002\n", "expected ack 1002"),
        ("sack 2001:3001", "sack 2001:3002", "expected sack 2001:3002"),
        (" <nop,nop,sack 2001:3001>", "", "expected no SACK block"),
        ("= 1000\n", "= 999\n", "the application gets 1000 bytes"),
    ],
)
def test_a_receiver_that_does_otherwise_is_found_out(was: str, becomes: str, says: str) -> None:
    problem = played(RECEIVES.replace(was, becomes)).problem
    assert problem is not None
    assert says in problem


def test_the_tolerance_is_the_scripts_or_an_eighth_of_the_wait() -> None:
    late = SENDS.replace("   +0 > P. 1:5001", "+.01 > P. 1:5001")
    assert played(late).problem is not None
    assert played(f"--tolerance_usecs=10000\n{late}").problem is None


def test_options_negotiated_in_the_handshake_are_the_hosts() -> None:
    stamps = (
        SENDS.replace("sackOK,nop,nop", "sackOK,TS val 9 ecr 0")
        .replace("5000", "4940")
        .replace("5001", "4941")
    )
    # With timestamps a segment is 12 bytes smaller: five segments.
    assert "3953:4941(988)" in "\n".join(played(stamps).exchange)


def test_settings_and_sysctls_change_the_host(tmp_path: Path) -> None:
    lost = SENDS.replace("+.1 < . 1:1(0) ack 5001 win 1000", "+.202 > P. 4001:5001(1000) ack 1")
    assert played(lost).problem is None
    assert played(lost, "tail_loss_probe=false").problem is not None
    assert played(f"`sysctl -q net.ipv4.tcp_early_retrans=0`\n{lost}").problem is not None
    (tmp_path / "defaults.sh").write_text("sysctl -q net.ipv4.tcp_early_retrans=0\n")
    assert played(f"`./defaults.sh`\n{lost}", folder=tmp_path).problem is not None


def test_the_scripts_algorithm_is_the_hosts() -> None:
    reno = 'setsockopt(4, SOL_TCP, TCP_CONGESTION, "reno", 4) = 0\n   +0 write'
    lossy = """
  +.1 < . 1:1(0) ack 1 win 1000 <nop,nop,sack 1001:4001>
   +0 > P. 1:1001(1000) ack 1
   +0 %{ assert tcpi_ca_state == TCP_CA_Recovery }%
   +0 %{ assert tcpi_snd_ssthresh == SSTHRESH, tcpi_snd_ssthresh }%
"""
    text = SENDS.rsplit("  +.1 <", 1)[0] + lossy
    assert played(text.replace("SSTHRESH", "7")).problem is None
    assert played(text.replace("SSTHRESH", "5").replace("write", reno, 1)).problem is None


# Linux 7.3, tcp_initialize_rcv_mss: the least of 536, the MSS and half of the window, 88 at least;
# tcp_measure_rcv_mss: larger segments at once, smaller ones when two in a row are equal.
@pytest.mark.parametrize(
    ("packets", "size"),
    [
        ("", 536),
        ("+0 < P. 1:101(100) ack 1 win 9\n", 536),
        ("+0 < . 1:101(100) ack 1 win 9\n", 536),
        ("+0 < . 1:101(100) ack 1 win 9\n+0 < . 101:201(100) ack 1 win 9\n", 100),
        ("+0 < P. 1:101(100) ack 1 win 9\n+0 < P. 101:201(100) ack 1 win 9\n", 536),
        ("+0 < . 1:81(80) ack 1 win 9\n+0 < . 81:161(80) ack 1 win 9\n", 536),
        ("+0 < P. 1:801(800) ack 1 win 9\n", 800),
        ("+0 < . 1:9001(9000) ack 1 win 9\n", 1000),
        ("+0 < . 2001:11001(9000) ack 1 win 9\n", 1000),
    ],
)
def test_the_size_of_the_peers_segments_is_estimated_as_linux_does(packets: str, size: int) -> None:
    script = f"--mss=1000\n{HANDSHAKE}{packets}+0 %{{ assert tcpi_rcv_mss == {size} }}%\n"
    assert played(script).problem is None


def test_a_segment_is_no_larger_than_the_host_allows() -> None:
    script = HANDSHAKE + "+0 < . 1:9001(9000) ack 1 win 9\n"
    assert played(script + "+0 %{ assert tcpi_rcv_mss == 1460 }%\n").problem is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (SENDS.replace("accept(3", "epoll_wait(3"), "epoll_wait()"),
        (
            SENDS.replace("write(4, ..., 5000)", "send(4, ..., 5000, MSG_ZEROCOPY)"),
            "send() with MSG_ZEROCOPY",
        ),
        (SENDS + "+0 < R. 1:1(0) ack 1 win 0\n", "RST"),
        (SENDS + "+0 < P. 1:11(10) ack 5001 win 9\n", "data in both directions"),
        (SENDS + "+0 `nstat`\n", "runs 'nstat' on the way"),
        ("`reboot now`\n" + SENDS, "runs 'reboot now'"),
        ("`sysctl -q net.ipv4.tcp_autocorking=0`\n" + SENDS, "sets net.ipv4.tcp_autocorking"),
        ("`./missing.sh`\n" + SENDS, "calls ./missing.sh, which is not there"),
        ("--mtu=900\n" + SENDS, "option --mtu"),
        ("--mss=0\n" + SENDS, "--mss '0': from 1 to 65535 is known"),
        ("--mss=1k\n" + SENDS, "--mss '1k': from 0 to 65535 is known"),
        (SENDS + "+0 < icmp unreachable\n", "ICMP"),
        (SENDS.replace("tcpi_snd_cwnd == 10", "tcpi_ato == 10"), "the simulator has no tcpi_ato"),
        (HANDSHAKE + HANDSHAKE, "more than one connection"),
    ],
)
def test_what_does_not_apply_has_its_reason(text: str, reason: str) -> None:
    with pytest.raises(NotApplicableError) as problem:
        played(text)
    assert str(problem.value) == reason


NUMBER = "9" * 30


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"--tolerance_usecs={NUMBER}\n{SENDS}", "--tolerance_usecs"),
        (f"--tolerance_percent=inf\n{SENDS}", "--tolerance_percent 'inf'"),
        (f"`sysctl -q net.ipv4.tcp_rto_max_ms=0`\n{SENDS}", "from 1000 to 120000"),
        (f"`sysctl -q net.inet.tcp.delacktime={NUMBER}`\n{SENDS}", "from 0 to 60000"),
        (
            f"`ip route replace 1.1.1.1 via 2.2.2.2 dev tun0 initcwnd {NUMBER}`\n{SENDS}",
            "an initcwnd of",
        ),
        (
            f"`sysctl -q net.ipv4.tcp_congestion_control=nope`\n{SENDS}",
            "no congestion control 'nope'",
        ),
        (SENDS.replace("..., 5000) = 5000", f"..., {NUMBER}) = {NUMBER}"), "a write of"),
        (RECEIVES.replace("2000) = 1000", f"2000) = {NUMBER}"), "a read of"),
    ],
)
def test_a_number_beyond_all_bounds_has_its_reason(text: str, says: str) -> None:
    with pytest.raises(NotApplicableError) as problem:
        played(text)
    assert says in str(problem.value)


def test_code_that_is_nested_without_end_is_told() -> None:
    problem = played(SENDS.replace("tcpi_snd_cwnd == 10", "-" * 9000 + "1 == 1")).problem
    assert problem is not None
    assert "nested too deeply" in problem


def test_shell_scripts_that_call_themselves_or_each_other_without_end_end(tmp_path: Path) -> None:
    (tmp_path / "itself.sh").write_text("./itself.sh\n")
    with pytest.raises(NotApplicableError, match="does one call itself"):
        played(f"`./itself.sh`\n{SENDS}", folder=tmp_path)
    # Each calls the next one twice: 2^7 calls within the depth that is allowed.
    for number in range(7):
        (tmp_path / f"{number}.sh").write_text(f"./{number + 1}.sh\n./{number + 1}.sh\n")
    (tmp_path / "7.sh").write_text("true\n")
    with pytest.raises(NotApplicableError, match="calls more than 100 shell scripts"):
        played(f"`./0.sh`\n{SENDS}", folder=tmp_path)
    assert played(f"`./4.sh`\n{SENDS}", folder=tmp_path).problem is None


def test_a_wrong_setting_is_said() -> None:
    with pytest.raises(ScenarioError, match="no_such_key"):
        played(SENDS, "no_such_key=1")
