"""Diagnosis of the limits of each flow, from measurements and theory."""

from ackclock.results.diagnosis.diagnose import CHOSEN, MOST_FLOWS, diagnose
from ackclock.results.diagnosis.report import Diagnosis
from ackclock.results.diagnosis.types import FlowDiagnosis, LimitRow

__all__ = ["CHOSEN", "MOST_FLOWS", "Diagnosis", "FlowDiagnosis", "LimitRow", "diagnose"]
