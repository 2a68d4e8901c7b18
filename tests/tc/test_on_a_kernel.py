"""Does a kernel read back the parameters of the scenario from the commands?

`linux-6.1.json` was read back on Debian's kernel 6.1.0-56 with iproute2 6.1.0, which has every
discipline but dualpi2. The same script runs on this machine's kernel, as far as it has them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tc_cases import CASES
from tc_reading import commands, differences, read, script

RECORDED: dict[str, Any] = json.loads(
    (Path(__file__).parent / "linux-6.1.json").read_text(encoding="utf-8")
)
_UNAVAILABLE = ("Specified qdisc kind is unknown", "Failed to load TC action module")


@pytest.mark.parametrize("case", CASES)
def test_linux_6_1_has_the_parameters_of_the_scenario(case: str) -> None:
    recorded = RECORDED[case]
    assert commands(CASES[case][0]) == recorded["commands"], "record again: see tests/tc_reading.py"
    assert not recorded["errors"]
    assert not differences(case, recorded["shown"])


@cache
def _here() -> dict[str, Any] | str:
    """Each case on this machine's kernel, or the reason why there is none."""
    if shutil.which("tc") is None or shutil.which("ip") is None:
        return "tc and ip are not installed"
    if os.geteuid() != 0:
        return "only root may set disciplines"
    made = subprocess.run(
        ["unshare", "--net", "sh", "-c", script()], capture_output=True, text=True, check=False
    )
    return read(made.stdout) if made.stdout else f"unshare: {made.stderr.strip()}"


@pytest.mark.kernel
@pytest.mark.process
@pytest.mark.parametrize("case", CASES)
def test_this_kernel_has_them_too(case: str) -> None:
    here = _here()
    if isinstance(here, str):
        pytest.skip(here)
    reading = here[case]
    missing = [error for error in reading["errors"] if error.startswith("Error:")]
    if any(reason in error for error in missing for reason in _UNAVAILABLE):
        # tc has parsed every word by then: it complains of a wrong one before it asks the kernel.
        assert not [
            error
            for error in reading["errors"]
            if "help" in error or "Illegal" in error or "What is" in error
        ]
        pytest.skip(f"this kernel lacks a discipline: {'; '.join(dict.fromkeys(missing))}")
    assert not reading["errors"]
    assert not differences(case, reading["shown"])
