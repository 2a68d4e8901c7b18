"""Tables: one kind for a terminal, pages, files and frames, with units and digits by interval."""
