"""ackclock: a laboratory for TCP congestion control.

A scenario goes in, the deterministic packet simulator runs it, columns come out, and metrics, tables, plots and reports
stand on the columns.

Examples
--------
>>> import ackclock as ac
>>> s = ac.dumbbell(rate="10Mbit/s", rtt="60ms", buffer="1bdp", flows=[ac.flow("reno")], duration="10s")
>>> s.name
'scenario'
"""

from __future__ import annotations

# Importing typing would take longer than all else here, and Ctrl-C is not heard yet (`ackclock.__main__`).
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ackclock import cc, measuring
    from ackclock._core import AlgorithmError, __version__
    from ackclock.comparing import compare
    from ackclock.estimating import Estimate, TooLargeError, estimate
    from ackclock.link_trace import write_mahimahi
    from ackclock.metrics import MetricError, metric
    from ackclock.results import Comparison, Result
    from ackclock.running import run
    from ackclock.scenario import Flow, Scenario, ScenarioError, dumbbell, flow, load, parking_lot
    from ackclock.sweeps.sweeping import open_sweep, sweep
    from ackclock.writing import WriteError

__all__ = [
    "AlgorithmError",
    "Comparison",
    "Estimate",
    "Flow",
    "MetricError",
    "Result",
    "Scenario",
    "ScenarioError",
    "TooLargeError",
    "WriteError",
    "__version__",
    "cc",
    "compare",
    "dumbbell",
    "estimate",
    "flow",
    "load",
    "measuring",
    "metric",
    "open_sweep",
    "parking_lot",
    "run",
    "sweep",
    "write_mahimahi",
]

# Names are found when they are first used: pydantic, polars and matplotlib take longer to import than many a run.
_HOMES = {
    "AlgorithmError": "ackclock._core",
    "Comparison": "ackclock.results",
    "Flow": "ackclock.scenario",
    "MetricError": "ackclock.metrics",
    "Result": "ackclock.results",
    "Scenario": "ackclock.scenario",
    "ScenarioError": "ackclock.scenario",
    "WriteError": "ackclock.writing",
    "__version__": "ackclock._core",
    "Estimate": "ackclock.estimating",
    "TooLargeError": "ackclock.estimating",
    "compare": "ackclock.comparing",
    "dumbbell": "ackclock.scenario",
    "estimate": "ackclock.estimating",
    "flow": "ackclock.scenario",
    "load": "ackclock.scenario",
    "metric": "ackclock.metrics",
    "open_sweep": "ackclock.sweeps.sweeping",
    "parking_lot": "ackclock.scenario",
    "run": "ackclock.running",
    "sweep": "ackclock.sweeps.sweeping",
    "write_mahimahi": "ackclock.link_trace",
}


def __getattr__(name: str) -> Any:
    import importlib

    if name in {"cc", "measuring"}:
        return importlib.import_module(f"ackclock.{name}")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'ackclock' has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
