"""``python tools/border`` writes the types of the border."""

from pathlib import Path

from made import FILES

from ackclock import border

for name, source in FILES.items():
    (Path(border.__file__).parent / name).write_text(source(), encoding="utf-8")
