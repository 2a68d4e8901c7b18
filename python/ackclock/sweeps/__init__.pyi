from .design import Design as Design
from .errors import SweepError as SweepError, SweepStoppedError as SweepStoppedError
from .result import SweepResult as SweepResult
from .running import Progress as Progress
from .store import Store as Store, StoreError as StoreError
from .sweeping import design_of as design_of, open_sweep as open_sweep, sweep as sweep
