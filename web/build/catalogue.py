"""Write the names that the page's form offers before Python is there.

`public/catalogue.json` has the rows of `ackclock list` for congestion controls, queue disciplines,
applications and profiles. `public/schema.json` is the JSON Schema of a scenario, as `ackclock
schema` prints it: meanings, examples and ranges of all keys.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from ackclock.cli.list_command import rows_of
from ackclock.scenario.schema import editor_schema

WEB = Path(__file__).parent.parent


def main() -> None:
    """Write both files."""
    rows = {kind: rows_of(kind) for kind in ("cc", "qdisc", "app", "profile")}
    for name, content in (("catalogue", rows), ("schema", editor_schema())):
        text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
        (WEB / "public" / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
