"""Random valid scenarios, and what must hold in the run of each: docs/fuzzing.md."""
