"""Sweeps: a scenario over axes and seeds, with statistics, on one machine or many."""
