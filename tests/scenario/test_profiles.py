"""The profiles, and what docs/transport/README.md says of them."""

import re
from pathlib import Path
from typing import Any

from ackclock.scenario.profiles import PROFILE_SUMMARIES, PROFILES

PAGE = (Path(__file__).parents[2] / "docs" / "transport" / "README.md").read_text(encoding="utf-8")


def table(heading: str) -> list[list[str]]:
    """Cells of the rows of the table below a heading."""
    rows = re.findall(
        r"^\| (.*) \|$", PAGE.split(f"## {heading}\n")[1].split("\n## ")[0], flags=re.MULTILINE
    )
    return [[cell.strip().replace("`", "") for cell in row.split("|")] for row in rows[1:]]


def written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_every_profile_has_its_summary_and_its_line() -> None:
    assert list(PROFILES) == list(PROFILE_SUMMARIES)
    assert all(f"| `{name}` | " in PAGE for name in PROFILES)


def test_the_page_lists_what_rfc_has_instead() -> None:
    differs = {
        option: (written(value), written(PROFILES["rfc"][option]))
        for option, value in PROFILES["linux"].items()
        if value != PROFILES["rfc"][option]
    }
    assert {
        option: (linux, rfc) for option, linux, rfc, _ in table("Where `rfc` differs from `linux`")
    } == differs


def test_the_page_has_the_values_of_both() -> None:
    for options, values, _ in table("What both have, and its source"):
        names = options.split(", ")
        given = values.split(", ") if ", " in values else [values] * len(names)
        for profile in ("linux", "rfc"):
            assert given == [written(PROFILES[profile][name]) for name in names]
