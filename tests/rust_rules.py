"""The rules that Rust sources name: statement and source of each ``Rule::new`` and ``Rule::cut``.

Texts are read, not run: a rule counts whether or not a run comes to it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_COMMENT = re.compile(r'//[^\n]*|("(?:\\.|[^"\\])*")', re.DOTALL)
_CALL = re.compile(r"\bRule::(new|cut)\(")
_LITERAL = re.compile(r'"((?:\\.|[^"\\])*)"', re.DOTALL)
_CONST = re.compile(r'\bconst (\w+): &str =\s*"((?:\\.|[^"\\])*)"', re.DOTALL)
_TESTS = re.compile(r"#\[cfg\(test\)\]\s*mod \w+ \{.*", re.DOTALL)


@dataclass(frozen=True)
class NamedRule:
    """A rule as it stands in a source."""

    path: Path
    line: int
    statement: str
    """Statement; of a cut, its effect, as ``halves the window``."""
    source: str

    def __str__(self) -> str:
        return f"{self.path.name}:{self.line}: {self.statement} ({self.source})"


def rules_of(folder: Path) -> list[NamedRule]:
    """Read the rules of all Rust files below a folder, those of `rule.rs` itself left out."""
    texts = {path: _code(path) for path in sorted(folder.rglob("*.rs")) if path.name != "rule.rs"}
    rules = []
    for path, text in texts.items():
        beside = [
            texts[sibling] for sibling in texts if sibling.parent == path.parent and sibling != path
        ]
        rules += list(_rules(path, text, beside))
    return rules


def _code(path: Path) -> str:
    text = _COMMENT.sub(lambda match: match[1] or "", path.read_text("utf-8"))
    return _TESTS.sub("", text)


def _rules(path: Path, text: str, beside: list[str]) -> Iterator[NamedRule]:
    for call in _CALL.finditer(text):
        arguments = _arguments(text, call.end())
        line = text.count("\n", 0, call.start()) + 1
        statement = _unescaped(_LITERAL.fullmatch(arguments[-2]))
        for source in _values(arguments[-1], text[: call.start()], beside):
            yield NamedRule(path, line, statement, source)


def _arguments(text: str, start: int) -> list[str]:
    """Split what follows an opening parenthesis by its commas."""
    arguments, depth, at = [""], 1, start
    while depth:
        literal = _LITERAL.match(text, at)
        part = literal[0] if literal else text[at]
        at += len(part)
        if not literal:
            depth += (part in "([{") - (part in ")]}")
            if part == "," and depth == 1:
                arguments.append("")
                continue
        if depth:
            arguments[-1] += part
    return [argument.strip() for argument in arguments if argument.strip()]


def _values(argument: str, before: str, beside: list[str]) -> list[str]:
    """Return the texts that an argument may be: a literal's, a constant's, or a variable's."""
    if literal := _LITERAL.fullmatch(argument):
        return [_unescaped(literal)]
    name = argument.rsplit("::", 1)[-1]
    if name.islower():
        *_, value = re.finditer(rf"\blet {name} =([^;]*);", before)
        names = re.findall(r"\b[A-Z_]{2,}\b", value[1])
        return [text for constant in names for text in _values(constant, before, beside)]
    texts = beside if "::" in argument else [before]
    matches = [match for text in texts for match in _CONST.finditer(text) if match[1] == name]
    if not matches:
        raise ValueError(f"{argument}: no constant of this name with a text")
    # Functions may have constants of the same name: the nearest one is meant.
    chosen = matches if "::" in argument else matches[-1:]
    return [_unescaped(match, 2) for match in chosen]


def _unescaped(match: re.Match[str] | None, group: int = 1) -> str:
    if match is None:
        raise ValueError("a rule has a literal as its statement")
    text = re.sub(r"\\\n\s*", "", match[group])
    return re.sub(r"\\(.)", r"\1", text)
