"""A machine for tests, with all that a run on the kernel needs, and provenance without a run."""

from typing import Any

import pytest

from ackclock import _core
from ackclock.engine.linux import Kernel, obstacle

KERNEL = Kernel("6.18.44", ("reno", "bbr", "cubic"))

PROVENANCE: dict[str, Any] = {
    "release": "6.18.44",
    "is_rootless": False,
    "emulator_scheduling": "SCHED_DEADLINE",
    "endpoint_scheduling": "SCHED_DEADLINE",
    "lateness": {
        "mean": 6e-6,
        "p50": 5e-6,
        "p95": 1.2e-5,
        "p99": 2.1e-5,
        "p999": 1e-4,
        "p9999": 5e-4,
        "max": 8e-4,
    },
    "handed_over": 12345,
    "late_packets": 0,
    "ring_dropped": 0,
    "refused": 0,
    "entry_late_max": 2e-6,
    "sample_late_max": 3e-4,
    "late_start": 0.0,
    "broken": [],
    "cpu_seconds": {"emulator": 1.5, "senders": 0.25, "receivers": 0.25},
    "clock_step": 0.0,
    "stolen": 0.0,
}


def provenance(**changes: Any) -> Any:
    """A good provenance but for these values."""
    late = changes.pop("lateness", {})
    return {**PROVENANCE, "lateness": {**PROVENANCE["lateness"], **late}, **changes}


def why_not() -> str | None:
    """Why a run on the kernel cannot be tested here."""
    return obstacle() if hasattr(_core, "run_linux") else "this core has no runs on a kernel"


needs_namespaces = pytest.mark.skipif(
    why_not() is not None, reason=f"NO RUN ON A KERNEL WAS TESTED HERE: {why_not()}"
)
