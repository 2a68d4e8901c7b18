"""The simulator held against the real kernel: recorded runs, what both are measured by, bars, tables and figures."""
