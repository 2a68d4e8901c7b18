"""Random valid scenarios, and the oracles that judge the run of each: docs/fuzzing.md."""
