"""The simulator compared with recorded runs of the real kernel: measures, bars, tables, figures."""
