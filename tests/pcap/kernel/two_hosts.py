"""Two namespaces, and between them a path in user space over two TUN devices.

A kernel needs neither netem nor veth for it. The path has one rate, one buffer, a delay each way,
and a fate for each packet: lost, doubled, or later by some time.
"""

import ctypes
import fcntl
import heapq
import os
import select
import signal
import struct
import subprocess
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

LOST, DOUBLED = "lost", "doubled"
Fate = Callable[[float, bytes], "str | float"]
_TUNSETIFF, _TUN, _NO_INFORMATION = 0x400454CA, 0x0001, 0x1000
_LIBC = ctypes.CDLL(None, use_errno=True)


@dataclass
class Way:
    """One direction: bit/s, packets of buffer, s, and the fate of a packet by time and bytes."""

    rate: float | None = None
    buffer: int = 1000
    delay: float = 0.02
    fate: Fate = lambda _time, _packet: 0.0
    free: float = 0.0
    leaving: deque[float] = field(default_factory=deque)

    def arrivals(self, now: float, since: float, packet: bytes) -> list[float]:
        """Times at which the other end gets the packet."""
        fate = self.fate(now - since, packet)
        if fate == LOST:
            return []
        leaves = now
        if self.rate:
            while self.leaving and self.leaving[0] <= now:
                self.leaving.popleft()
            if len(self.leaving) > self.buffer:
                return []
            leaves = self.free = max(now, self.free) + 8 * len(packet) / self.rate
            self.leaving.append(leaves)
        if fate == DOUBLED:
            return [leaves + self.delay, leaves + self.delay + 0.0002]
        return [leaves + self.delay + float(fate)]


def enter(namespace: str) -> None:
    """Move this thread into a network namespace."""
    with Path(f"/run/netns/{namespace}").open("rb") as file:
        if _LIBC.setns(file.fileno(), 0x40000000):
            raise OSError(ctypes.get_errno(), "setns")


def shell(command: str) -> str:
    """Run a command of a shell and return what it wrote."""
    done = subprocess.run(command, shell=True, check=True, capture_output=True, text=True)
    return done.stdout


def host(namespace: str, number: int, settings: tuple[str, ...]) -> int:
    """Make a namespace with a TUN device, and return the device's descriptor."""
    shell(f"ip netns add {namespace}; ip -n {namespace} link set lo up")
    with Path("/proc/self/ns/net").open("rb") as before:
        enter(namespace)
        device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        flags = struct.pack("16sH", b"path", _TUN | _NO_INFORMATION)
        fcntl.ioctl(device, _TUNSETIFF, flags)
        _LIBC.setns(before.fileno(), 0)
    shell(
        f"ip -n {namespace} addr add 10.9.0.{number}/24 dev path;"
        f"ip -n {namespace} -6 addr add fd09::{number}/64 dev path nodad;"
        f"ip -n {namespace} link set path txqueuelen 5000 up"
    )
    for setting in ("net.ipv4.tcp_no_metrics_save=1", *settings):
        shell(f"ip netns exec {namespace} sysctl -qw {setting}")
    return device


def carry(devices: tuple[int, int], ways: tuple[Way, Way], since: float) -> None:
    """Carry packets between the devices until SIGTERM."""
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
    stopped: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _frame: stopped.append(number))
    poll = select.poll()
    for device in devices:
        poll.register(device, select.POLLIN)
    waiting: list[tuple[float, int, int, bytes]] = []
    count = 0
    while not stopped:
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, _, to, packet = heapq.heappop(waiting)
            os.write(to, packet)
        wait = waiting[0][0] - time.monotonic() if waiting else 0.05
        for device, _ in poll.poll(max(0, int(min(wait, 0.05) * 1000 - 0.3))):
            side = devices.index(device)
            while True:
                try:
                    packet = os.read(device, 65536)
                except BlockingIOError:
                    break
                now = time.monotonic()
                for at in ways[side].arrivals(now, since, packet):
                    count += 1
                    heapq.heappush(waiting, (at, count, devices[1 - side], packet))
