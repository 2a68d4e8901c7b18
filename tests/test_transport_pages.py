"""The transport's pages: each rule has three parts and names the transcripts that check it."""

import re
from pathlib import Path

import pytest

from ackclock.scenario.profiles import PROFILES

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs/transport"
TRANSCRIPTS = ROOT / "crates/packetdrill/tests/transcripts"
HEADINGS = ("**Specification.**", "**Deviations.**", "**Validation.**")
# What a page of the transport must at least speak of.
RULES = {
    "initial window",
    "growth",
    "window use",
    "idle restart",
    "RTO and its restart",
    "F-RTO",
    "undo",
    "RACK",
    "TLP",
    "PRR",
    "limited transmit",
    "delayed ACKs",
    "receive window",
    "timestamps and PAWS",
    "ECN",
    "pacing",
    "TSO deferral",
}
# The name of a transcript is a sentence: three words or more.
TRANSCRIPT = re.compile(r"`([a-z0-9]+(?:-[a-z0-9]+){2,})`")


def rules() -> dict[str, tuple[str, str]]:
    """File and text of each rule, by its heading."""
    by_heading: dict[str, tuple[str, str]] = {}
    for page in sorted(PAGES.glob("*.md")):
        if page.name == "README.md":
            continue
        for section in page.read_text(encoding="utf-8").split("\n## ")[1:]:
            heading, _, text = section.partition("\n")
            assert heading not in by_heading, f"{heading} is on two pages"
            by_heading[heading] = (page.name, text)
    return by_heading


RULES_FOUND = rules()


def part(rule: str, heading: str) -> str:
    """One of the three parts of a rule."""
    text = RULES_FOUND[rule][1].split(heading, 1)[1]
    return re.split(r"^\*\*[A-Z][a-z]+\.\*\*", text, maxsplit=1, flags=re.MULTILINE)[0]


def test_every_rule_has_a_section() -> None:
    assert set(RULES_FOUND) >= RULES


@pytest.mark.parametrize("rule", RULES_FOUND)
def test_each_rule_has_the_three_parts_in_order(rule: str) -> None:
    text = RULES_FOUND[rule][1]
    assert [text.count(f"\n{heading}") for heading in HEADINGS] == [1, 1, 1]
    assert sorted(HEADINGS, key=text.index) == list(HEADINGS)


@pytest.mark.parametrize("rule", RULES_FOUND)
def test_each_rule_speaks_of_every_profile(rule: str) -> None:
    deviations = part(rule, "**Deviations.**")
    for name in PROFILES:
        assert re.search(rf"^- (`\w+` and )?`{name}`", deviations, re.MULTILINE), (
            f"{rule}: nothing of profile {name}"
        )


@pytest.mark.parametrize("rule", RULES_FOUND)
def test_each_rule_names_a_test_that_exists(rule: str) -> None:
    validation = part(rule, "**Validation.**")
    files = re.findall(r"`((?:tests|crates|scenarios)/[\w./-]+)`", validation)
    assert TRANSCRIPT.search(validation) or files, f"{rule} names no test"
    for path in files:
        assert (ROOT / path).exists(), path


def test_pages_name_every_transcript_and_no_other() -> None:
    named = {
        name for rule in RULES_FOUND for name in TRANSCRIPT.findall(part(rule, "**Validation.**"))
    }
    assert named == {script.stem for script in TRANSCRIPTS.glob("*.pkt")}


def anchor(heading: str) -> str:
    """The end of a link to a heading, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-")


def test_the_index_links_every_rule() -> None:
    index = (PAGES / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\[([^]]+)\]\((\w+\.md)#([\w-]+)\)", index)
    linked = {(file, section): text for text, file, section in links}
    assert linked == {(RULES_FOUND[rule][0], anchor(rule)): rule for rule in RULES_FOUND}
