"""Record the captures of this folder again, as root: `python tests/pcap/kernel/record.py`.

Each is tcpdump's at a sender that is this machine's kernel; the counters beside it are nstat's of
the sender's namespace. A run takes some seconds; names after the command choose runs.
"""

import gzip
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from two_hosts import DOUBLED, LOST, Fate, Way, carry, enter, host, shell

FOLDER = Path(__file__).parent
SENDER, RECEIVER = "ackclock-sender", "ackclock-receiver"
COUNTERS = {
    "RetransSegs": "TcpRetransSegs",
    **{
        name: f"TcpExtTCP{name}"
        for name in (
            "Timeouts",
            "SlowStartRetrans",
            "FastRetrans",
            "LossProbes",
            "DSACKRecv",
            "DSACKOfoRecv",
        )
    },
}
FULL = 1448


@dataclass
class Run:
    """A transfer: what is sent, over which path."""

    send: Callable[[socket.socket], None]
    data: Way
    acks: Way = field(default_factory=Way)
    cc: str = "cubic"
    is_v6: bool = False
    settings: tuple[str, ...] = ()


def payload(packet: bytes) -> tuple[int, bytes]:
    """Bytes of payload of a TCP packet, and its sequence number."""
    is_v4 = packet[0] >> 4 == 4
    if packet[9 if is_v4 else 6] != socket.IPPROTO_TCP:
        return 0, b""
    start = (packet[0] & 15) * 4 if is_v4 else 40
    total = int.from_bytes(packet[2:4]) if is_v4 else 40 + int.from_bytes(packet[4:6])
    return total - start - (packet[start + 12] >> 4) * 4, packet[start + 4 : start + 8]


def sometimes(seed: int, share: float, fate: str | float) -> Fate:
    """A share of the packets has the fate."""
    draw = random.Random(seed)
    return lambda _time, _packet: fate if draw.random() < share else 0.0


def dark(*spans: tuple[float, float]) -> Fate:
    """All packets of the spans are lost."""
    return lambda now, _packet: LOST if any(a <= now < b for a, b in spans) else 0.0


def held(*spans: tuple[float, float]) -> Fate:
    """All packets of the spans wait until their end."""
    return lambda now, _packet: next((b - now for a, b in spans if a <= now < b), 0.0)


def tails(times: int) -> Fate:
    """The short last segment of each burst is lost so many times."""
    seen: dict[bytes, int] = {}

    def fate(_now: float, packet: bytes) -> str | float:
        length, number = payload(packet)
        if length in (0, FULL):
            return 0.0
        seen[number] = seen.get(number, 0) + 1
        return LOST if seen[number] <= times else 0.0

    return fate


def flights(first: int) -> Fate:
    """Every other burst loses all but its first segments once."""
    seen: set[bytes] = set()
    state = {"last": 0.0, "burst": -1, "sent": 0}

    def fate(now: float, packet: bytes) -> str | float:
        length, number = payload(packet)
        if not length:
            return 0.0
        if now - state["last"] > 0.5:
            state["burst"] += 1
            state["sent"] = 0
        state["last"] = now
        if number in seen:
            return 0.0
        seen.add(number)
        state["sent"] += 1
        return LOST if state["burst"] % 2 == 1 and state["sent"] > first else 0.0

    return fate


def bulk(size: int) -> Callable[[socket.socket], None]:
    """Send so many bytes."""
    return lambda to: to.sendall(bytes(size))


def lasting(seconds: float) -> Callable[[socket.socket], None]:
    """Send for so long."""

    def send(to: socket.socket) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            to.sendall(bytes(65536))

    return send


def bursts(count: int, size: int, pause: float) -> Callable[[socket.socket], None]:
    """Send bursts with pauses between them."""

    def send(to: socket.socket) -> None:
        for _ in range(count):
            to.sendall(bytes(size))
            time.sleep(pause)

    return send


NO_SACK, NO_STAMPS = ("net.ipv4.tcp_sack=0",), ("net.ipv4.tcp_timestamps=0",)
RUNS = {
    "heavy-loss": Run(bulk(250_000), Way(5e6, 40, fate=sometimes(2, 0.12, LOST)), cc="reno"),
    "tails": Run(bursts(8, 10 * FULL + 700, 0.6), Way(20e6, 100, fate=tails(1))),
    "lost-probes": Run(bursts(6, 6 * FULL + 500, 1.6), Way(20e6, 100, fate=tails(2))),
    "lost-flights": Run(bursts(8, 9 * FULL + 500, 1.2), Way(20e6, 100, fate=flights(3)), cc="reno"),
    "blackouts": Run(lasting(6), Way(5e6, 40, fate=dark((0.5, 1.3), (2.5, 4.2)))),
    "spikes": Run(lasting(5), Way(3e6, 40, fate=held((1.0, 1.6), (3.0, 3.7)))),
    "late-acks": Run(
        bursts(5, 5 * FULL, 1.5),
        Way(20e6, 100),
        Way(fate=held((0.95, 1.75), (2.95, 3.75), (4.95, 5.75))),
    ),
    "reordering": Run(bulk(900_000), Way(5e6, 60, fate=sometimes(3, 0.03, 0.006))),
    "duplicates": Run(bulk(400_000), Way(5e6, 40, fate=sometimes(4, 0.02, DOUBLED)), cc="reno"),
    "ipv6-no-sack": Run(
        bulk(500_000),
        Way(5e6, 30, fate=sometimes(6, 0.02, LOST)),
        cc="reno",
        is_v6=True,
        settings=NO_SACK,
    ),
    "no-timestamps": Run(
        bulk(500_000), Way(5e6, 30, fate=sometimes(7, 0.03, LOST)), settings=NO_STAMPS
    ),
}


def counted() -> dict[str, int]:
    """Counters of the sender's kernel."""
    counts = json.loads(shell(f"ip netns exec {SENDER} nstat -asz --json"))["kernel"]
    return {short: counts.get(name, 0) for short, name in COUNTERS.items()}


def receive(family: socket.AddressFamily, ready: threading.Event) -> None:
    """Read all that one sender sends."""
    enter(RECEIVER)
    with socket.socket(family) as door:
        door.settimeout(15)
        door.bind(("::" if family == socket.AF_INET6 else "0.0.0.0", 5001))
        door.listen(1)
        ready.set()
        with door.accept()[0] as connection:
            connection.settimeout(15)
            while connection.recv(65536):
                pass


def send(family: socket.AddressFamily, run: Run) -> None:
    """Send what the run sends."""
    enter(SENDER)
    with socket.socket(family) as to:
        to.settimeout(15)
        to.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, run.cc.encode())
        to.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        to.connect(("fd09::2" if run.is_v6 else "10.9.0.2", 5001))
        run.send(to)
        to.shutdown(socket.SHUT_WR)
        to.recv(1)


def record(run: Run, file: Path) -> dict[str, int]:
    """Run one, write its capture, and return what the kernel counted."""
    devices: list[int] = []
    try:
        devices += [host(SENDER, 1, run.settings), host(RECEIVER, 2, run.settings)]
        between = os.fork()
        if between == 0:
            try:
                carry((devices[0], devices[1]), (run.data, run.acks), time.monotonic() + 0.7)
            finally:
                os._exit(0)
        command = f"ip netns exec {SENDER} tcpdump -i path -s 96 -w {file} tcp"
        dump = subprocess.Popen(command.split(), stderr=subprocess.DEVNULL)
        time.sleep(0.7)
        before = counted()
        family = socket.AF_INET6 if run.is_v6 else socket.AF_INET
        ready = threading.Event()
        ends = [
            threading.Thread(target=receive, args=(family, ready)),
            threading.Thread(target=send, args=(family, run)),
        ]
        ends[0].start()
        ready.wait()
        ends[1].start()
        for end in ends:
            end.join()
        time.sleep(1)
        os.kill(between, signal.SIGTERM)
        os.waitpid(between, 0)
        dump.send_signal(signal.SIGINT)
        dump.wait()
        return {short: value - before[short] for short, value in counted().items()}
    finally:
        for device in devices:
            os.close(device)
        for namespace in (SENDER, RECEIVER):
            subprocess.run(["ip", "netns", "del", namespace], check=False, capture_output=True)


def main() -> None:
    """Record the runs that are named, or all."""
    table = FOLDER / "counters.json"
    counters = json.loads(table.read_text(encoding="utf-8")) if table.is_file() else {}
    for name in sys.argv[1:] or RUNS:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder).chmod(0o777)
            file = Path(folder) / "sender.pcap"
            counters[name] = record(RUNS[name], file)
            packed = gzip.compress(file.read_bytes(), compresslevel=9, mtime=0)
        (FOLDER / f"{name}.pcap.gz").write_bytes(packed)
        print(name, counters[name])  # noqa: T201
        ordered = {key: counters[key] for key in sorted(counters)}
        table.write_text(json.dumps(ordered, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
