from .registered import (
    NONE_INSTALLED as NONE_INSTALLED,
    find_study as find_study,
    studies as studies,
)
from .running import run_study as run_study
from .study_run import StudyRun as StudyRun
from .errors import StudyError as StudyError
