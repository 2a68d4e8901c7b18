"""The simulator compared with recorded runs of the real kernel: figures, bars, tables, pictures."""
