from pathlib import Path

from ackclock.results.docs import markdown

DOCUMENT = Path(__file__).parents[2] / "docs/results.md"


def test_the_documentation_is_what_the_code_defines() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == markdown(), (
        "write it anew: the document's first lines say how"
    )
