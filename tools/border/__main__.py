"""``python tools/border`` writes the types of the border, and the page's traits."""

from made import FILES

for file, source in FILES.items():
    file.write_text(source(), encoding="utf-8")
