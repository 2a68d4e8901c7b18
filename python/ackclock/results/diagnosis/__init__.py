"""What limits each flow: a diagnosis from what was measured and from theory."""

from ackclock.results.diagnosis.diagnose import diagnose
from ackclock.results.diagnosis.report import Diagnosis
from ackclock.results.diagnosis.types import FlowDiagnosis, LimitRow

__all__ = ["Diagnosis", "FlowDiagnosis", "LimitRow", "diagnose"]
