"""Hosts without what Linux adds of its own: closed forms are about algorithms and queues, and know no bursts and no held-back ACKs."""

from collections.abc import Iterator

import pytest

from ackclock.scenario.profiles import PROFILES

LINUX = PROFILES["linux"]
PLAIN = {
    "initial_receive_window": "64MiB",
    "delayed_ack_adapts": False,
    "ack_pushed": False,
    "sack_delay": "0s",
    "tso_defer": False,
}


@pytest.fixture(autouse=True, scope="module")
def plain_hosts(request: pytest.FixtureRequest) -> Iterator[None]:
    """Profile `linux` without them, but in modules that say LINUX_HOSTS = True: they compare with the kernel."""
    with pytest.MonkeyPatch.context() as patch:
        if not getattr(request.module, "LINUX_HOSTS", False):
            patch.setitem(PROFILES, "linux", {**PROFILES["linux"], **PLAIN})
        yield


@pytest.fixture
def linux_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Profile `linux` as it is, for one test of a module that has it plain."""
    monkeypatch.setitem(PROFILES, "linux", LINUX)
