"""``python tools/names`` writes the names that the Tab key completes."""

from made import FILE, text

FILE.write_text(text(), encoding="utf-8")
