"""Runs the steps of `.ci/steps.toml`: the gate before a change lands, or every check.

    .ci/run                  the gate: each step without `when`, and those whose inputs changed
    .ci/run --all            every step; what a forge does each night
    .ci/run --only NAME ...  these steps
    .ci/run --plan           says which steps would run, and why

A step with `when` is *due* if its inputs differ from those of its last green run, which
`bench/nightly.json` names. A step with `night` runs with `--all` alone. `--record` keeps a green
step there. Before the first step the machine's speed is measured. A step that takes more than its
budget and a half, on a machine of that speed, fails.
"""

from __future__ import annotations

import sys

from gate import main

sys.exit(main())
