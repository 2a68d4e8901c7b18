"""Layout, units, captions and rows of a sweep's figures; nothing here needs matplotlib."""
