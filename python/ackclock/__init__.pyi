from . import (
    cc as cc,
    evaluation as evaluation,
    golden as golden,
    metrics as metrics,
    plot as plot,
    stats as stats,
    studies as studies,
    sweeps as sweeps,
    theory as theory,
)
from ._core import __version__ as __version__
from .tools.pcap import Capture as Capture, CaptureError as CaptureError, read_pcap as read_pcap
from .errors import AlgorithmError as AlgorithmError, Error as Error
from .engine import linux as linux
from .engine.cost_model import (
    Estimate as Estimate,
    TooLargeError as TooLargeError,
    estimate as estimate,
)
from .evaluation import Dossier as Dossier, evaluate as evaluate
from .runtime.extras import MissingExtraError as MissingExtraError
from .golden import (
    GoldenResult as GoldenResult,
    check_golden as check_golden,
    record_golden as record_golden,
)
from .tools import measuring as measuring
from .tools.link_trace import write_mahimahi as write_mahimahi
from .engine.linux import LinuxError as LinuxError
from .metrics import (
    MetricError as MetricError,
    UnknownMetricError as UnknownMetricError,
    metric as metric,
)
from .runtime.permission import NotTrustedError as NotTrustedError, trust as trust
from .results import Result as Result
from .engine.run import run as run
from .scenario import (
    Flow as Flow,
    Scenario as Scenario,
    ScenarioError as ScenarioError,
    dumbbell as dumbbell,
    flow as flow,
    load as load,
    parking_lot as parking_lot,
)
from .tools.sizing import (
    BufferSize as BufferSize,
    SizingError as SizingError,
    size_buffer as size_buffer,
)
from .tools.testsuites import StandardError as StandardError, standard as standard
from .studies import StudyError as StudyError
from .sweeps import (
    StoreError as StoreError,
    SweepError as SweepError,
    SweepResult as SweepResult,
    SweepStoppedError as SweepStoppedError,
    open_sweep as open_sweep,
    sweep as sweep,
)
from .sweeps.comparing import compare as compare
from .atomic_io import WriteError as WriteError
