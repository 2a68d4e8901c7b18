"""Lines, bands and colours of figures, shared by those for print and the interactive ones."""
