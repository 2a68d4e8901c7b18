"""Each rule that a sender can name cites a place that exists.

The tables of contents in ``sources.toml`` were taken from the documents themselves.
"""

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from rust_rules import NamedRule, rules_of

ROOT = Path(__file__).parents[2]
CATALOGUE = ROOT / "crates/cc/src"
KNOWN = tomllib.loads(Path(__file__).with_name("sources.toml").read_text("utf-8"))
RULES = rules_of(CATALOGUE) + rules_of(ROOT / "crates/sim/src/decisions")

NUMBER = r"\d+(?:\.\d+)*"
PLACE = rf"sections? (?P<numbers>{NUMBER}(?: and {NUMBER})*)"
FORMS = {
    "rfc": rf"RFC (?P<rfc>\d+) {PLACE}(?:, (?:step \d|equation \d|\(\d\.\d\) to \(\d\.\d\)))?",
    "draft": rf'(?P<draft>draft-[a-z0-9-]+)(?: {PLACE}|, section "(?P<title>[^"]+)")',
    "linux": r"Linux (?P<branch>6|v3) (?P<file>(?:net|include)/[a-z0-9_/]+\.[ch]), (?P<name>\w+)",
    "paper": r"(?P<authors>[A-Z][\w .,&]*) (?P<year>(?:19|20)\d\d)"
    rf"(?: section {NUMBER}|, (?:equation \d|rule [A-Z]))?",
}
REFERENCE = re.compile(
    r'(?:reference:|REFERENCE: &str =|reference\()\s*"((?:\\.|[^"\\])*)"', re.DOTALL
)


@cache
def papers() -> list[str]:
    texts = [path.read_text("utf-8") for path in sorted(CATALOGUE.rglob("*.rs"))]
    references = [reference for text in texts for reference in REFERENCE.findall(text)]
    return [
        paper for reference in references for paper in re.sub(r"\\\n\s*", "", reference).split("; ")
    ]


def complaint(source: str) -> str | None:
    """Say what is wrong with one source, if something is."""
    matches = {name: re.fullmatch(form, source) for name, form in FORMS.items()}
    forms = [name for name, match in matches.items() if match]
    if len(forms) != 1:
        return f"{source!r} is of no known form"
    if match := matches["rfc"]:
        return missing_section(match["rfc"], match["numbers"])
    if match := matches["draft"]:
        known = KNOWN["draft"].get(match["draft"])
        if known is None:
            return f"sources.toml has no {match['draft']}"
        if match["title"] and match["title"] not in known["sections"]:
            return f"{match['draft']} has no section {match['title']!r}"
    if (match := matches["linux"]) and match["name"] not in KNOWN["linux"][match["branch"]].get(
        match["file"], []
    ):
        return f"sources.toml has no {match['name']} in {match['file']}"
    if (match := matches["paper"]) and not any(
        paper.startswith(match["authors"] + ",") and match["year"] in paper for paper in papers()
    ):
        return f"no algorithm has {source!r} as its reference"
    return None


def missing_section(rfc: str, numbers: str) -> str | None:
    known = KNOWN["rfc"].get(rfc)
    if known is None:
        return f"sources.toml has no RFC {rfc}"
    missing = [number for number in re.findall(NUMBER, numbers) if number not in known["sections"]]
    return f"RFC {rfc} has no section {', '.join(missing)}" if missing else None


def test_every_file_that_answers_for_rules_names_some() -> None:
    texts = {path: path.read_text("utf-8") for path in CATALOGUE.rglob("*.rs")}
    role = re.compile(r"^impl(?:<.*>)? (?:Avoidance|SlowStart|CongestionControl) for", re.MULTILINE)
    answering = {path for path, text in texts.items() if role.search(text)}
    folders = {rule.path.parent for rule in RULES}
    assert {path.parent for path in answering} <= folders
    assert len(RULES) >= len(answering) * 3


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.path.stem}-{rule.line}")
def test_the_source_of_a_rule_exists(rule: NamedRule) -> None:
    complaints = [complaint(part) for part in rule.source.split("; ")]
    assert complaints == [None] * len(complaints)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("", "of no known form"),
        ("RFC 5681", "of no known form"),
        ("RFC 5681 section 3.1;", "of no known form"),
        ("RFC 5681 section 3.7", "has no section 3.7"),
        ("RFC 5681 sections 3.1 and 4.9", "has no section 4.9"),
        ("RFC 1 section 2", "has no RFC 1"),
        ("draft-ietf-ccwg-bbr", "of no known form"),
        ('draft-ietf-ccwg-bbr, section "Pacing Rate"', "has no section 'Pacing Rate'"),
        ("draft-nobody-nothing-00 section 1", "has no draft-nobody-nothing-00"),
        ("Linux tcp_enter_loss", "of no known form"),
        ("Linux 6 net/ipv4/tcp_bbr.c, bbr_guess", "has no bbr_guess"),
        ("Jacobson 1987", "no algorithm has"),
        ("Nobody & Else 2004 section 2", "no algorithm has"),
    ],
)
def test_a_wrong_source_is_noticed(source: str, problem: str) -> None:
    assert problem in str(complaint(source))


def test_every_table_is_of_use() -> None:
    # A document that nobody cites any more has no place among the tables.
    folders = (CATALOGUE, ROOT / "crates/sim/src")
    texts = "\n".join(
        path.read_text("utf-8") for folder in folders for path in folder.rglob("*.rs")
    )
    for number in KNOWN["rfc"]:
        assert re.search(rf"RFC {number}\b", texts), number
    for name in KNOWN["draft"]:
        assert name in texts, name
    cited = {part for rule in RULES for part in rule.source.split("; ")}
    for branch, files in KNOWN["linux"].items():
        for file, names in files.items():
            for name in names:
                assert f"Linux {branch} {file}, {name}" in cited


@pytest.mark.parametrize("folder", ["crates/cc", "crates/sim/src/transport"])
def test_sections_that_comments_cite_exist(folder: str) -> None:
    numbers = rf"{NUMBER}(?:(?:, | and | to )(?:section )?{NUMBER})*"
    cites = re.compile(rf"RFC (\d+),? sections? ({numbers})")
    count = 0
    for path in sorted((ROOT / folder).rglob("*.rs")):
        text = re.sub(r"\s*\n\s*(//[/!]?)?\s*", " ", path.read_text("utf-8"))
        for match in cites.finditer(text):
            assert missing_section(match[1], match[2]) is None, path
            count += 1
    assert count > 30
