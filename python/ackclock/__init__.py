"""ackclock: a laboratory for TCP congestion control.

A scenario goes in, the deterministic packet simulator runs it, and columns come out. Metrics,
tables, plots and reports are made from the columns.

Examples
--------
>>> import ackclock as ac
>>> s = ac.dumbbell(
...     rate="10Mbit/s", rtt="60ms", buffer="1bdp", flows=[ac.flow("reno")], duration="10s"
... )
>>> s.name
'scenario'
"""

from __future__ import annotations

# Importing typing would take longer than the rest of this module, and Ctrl-C is not handled
# meanwhile (`ackclock.__main__`).
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ackclock import (
        cc,
        evaluation,
        golden,
        linux,
        measuring,
        metrics,
        plot,
        stats,
        studies,
        sweeps,
        theory,
    )
    from ackclock._core import __version__
    from ackclock.captures import Capture, CaptureError, read_pcap
    from ackclock.errors import AlgorithmError, Error
    from ackclock.estimating import Estimate, TooLargeError, estimate
    from ackclock.evaluation import Dossier, evaluate
    from ackclock.extras import MissingExtraError
    from ackclock.golden import GoldenResult, check_golden, record_golden
    from ackclock.link_trace import write_mahimahi
    from ackclock.linux import LinuxError
    from ackclock.metrics import MetricError, UnknownMetricError, metric
    from ackclock.permission import NotTrustedError, trust
    from ackclock.results import Result
    from ackclock.running import run
    from ackclock.scenario import Flow, Scenario, ScenarioError, dumbbell, flow, load, parking_lot
    from ackclock.sizing import BufferSize, SizingError, size_buffer
    from ackclock.standards import StandardError, standard
    from ackclock.studies import StudyError
    from ackclock.sweeps import (
        StoreError,
        SweepError,
        SweepResult,
        SweepStoppedError,
        open_sweep,
        sweep,
    )
    from ackclock.sweeps.comparing import compare
    from ackclock.writing import WriteError

__all__ = [
    "AlgorithmError",
    "BufferSize",
    "Capture",
    "CaptureError",
    "Dossier",
    "Error",
    "Estimate",
    "Flow",
    "GoldenResult",
    "LinuxError",
    "MetricError",
    "MissingExtraError",
    "NotTrustedError",
    "Result",
    "Scenario",
    "ScenarioError",
    "SizingError",
    "StandardError",
    "StoreError",
    "StudyError",
    "SweepError",
    "SweepResult",
    "SweepStoppedError",
    "TooLargeError",
    "UnknownMetricError",
    "WriteError",
    "__version__",
    "cc",
    "check_golden",
    "compare",
    "dumbbell",
    "estimate",
    "evaluate",
    "evaluation",
    "flow",
    "golden",
    "linux",
    "load",
    "measuring",
    "metric",
    "metrics",
    "open_sweep",
    "parking_lot",
    "plot",
    "read_pcap",
    "record_golden",
    "run",
    "size_buffer",
    "standard",
    "stats",
    "studies",
    "sweep",
    "sweeps",
    "theory",
    "trust",
    "write_mahimahi",
]

_PACKAGES = frozenset({
    "cc", "evaluation", "golden", "linux", "measuring", "metrics", "plot", "stats", "studies",
    "sweeps", "theory",
})  # fmt: skip

# Imported on first use: pydantic, polars and matplotlib take longer to import than many a run.
_HOMES = {
    "AlgorithmError": "ackclock.errors",
    "BufferSize": "ackclock.sizing",
    "Capture": "ackclock.captures",
    "CaptureError": "ackclock.captures",
    "Dossier": "ackclock.evaluation",
    "Error": "ackclock.errors",
    "Estimate": "ackclock.estimating",
    "Flow": "ackclock.scenario",
    "GoldenResult": "ackclock.golden",
    "LinuxError": "ackclock.linux",
    "MetricError": "ackclock.metrics",
    "MissingExtraError": "ackclock.extras",
    "NotTrustedError": "ackclock.permission",
    "Result": "ackclock.results",
    "Scenario": "ackclock.scenario",
    "ScenarioError": "ackclock.scenario",
    "SizingError": "ackclock.sizing",
    "StandardError": "ackclock.standards",
    "StoreError": "ackclock.sweeps",
    "StudyError": "ackclock.studies",
    "SweepError": "ackclock.sweeps",
    "SweepResult": "ackclock.sweeps",
    "SweepStoppedError": "ackclock.sweeps",
    "TooLargeError": "ackclock.estimating",
    "UnknownMetricError": "ackclock.metrics",
    "WriteError": "ackclock.writing",
    "__version__": "ackclock._core",
    "check_golden": "ackclock.golden",
    "compare": "ackclock.sweeps.comparing",
    "dumbbell": "ackclock.scenario",
    "estimate": "ackclock.estimating",
    "evaluate": "ackclock.evaluation",
    "flow": "ackclock.scenario",
    "load": "ackclock.scenario",
    "metric": "ackclock.metrics",
    "open_sweep": "ackclock.sweeps",
    "parking_lot": "ackclock.scenario",
    "read_pcap": "ackclock.captures",
    "record_golden": "ackclock.golden",
    "run": "ackclock.running",
    "size_buffer": "ackclock.sizing",
    "standard": "ackclock.standards",
    "sweep": "ackclock.sweeps",
    "trust": "ackclock.permission",
    "write_mahimahi": "ackclock.link_trace",
}


def __getattr__(name: str) -> Any:
    import importlib

    if name in _PACKAGES:
        return importlib.import_module(f"ackclock.{name}")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'ackclock' has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
