"""Scenarios: what is run, as models that read TOML, write it, and become plans."""

from __future__ import annotations

from ackclock.scenario.build import dumbbell, flow, parking_lot
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.flows import Flow
from ackclock.scenario.loading import load
from ackclock.scenario.scenario import Scenario

__all__ = ["Flow", "Scenario", "ScenarioError", "dumbbell", "flow", "load", "parking_lot"]
