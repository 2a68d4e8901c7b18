"""Faults in prose: headless starts, private words, long sentences and long lines."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from prose import Passage, passages

_LIST = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))


def _compiled(table: dict[str, str], before: str) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(rf"{before}(?:{key})\b"), instead) for key, instead in table.items()]


_STARTS = _compiled(_LIST["starts"], r"^\W*")
_QUESTIONS = _compiled(_LIST["questions"], r"^\W*")
_ANYWHERE = _compiled(_LIST["anywhere"], r"\b")

_NOT_PROSE = re.compile(
    r"``[^`]+``|`[^`]*`|\$[^$]+\$|https?://\S+|<[^<> ]+>|“[^”]*”|\"[^\"]{1,600}\"|:\w+:(?=`)"
)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|\[([^\]]+)\](\[[^\]]*\])?")
_SENTENCE = re.compile(r"(?<=[.!?])[\"”)*_]*(?<!e\.g\.)(?<!i\.e\.)\s+")
_WORD = re.compile(r"\w[\w'./%-]*")


@dataclass(frozen=True)
class Fault:
    """A place in prose that a rule of `words.toml` refuses."""

    path: Path
    line: int
    phrase: str
    instead: str

    def __str__(self) -> str:
        """Return the line that a reader and an editor understand."""
        return f"{self.path}:{self.line}: “{self.phrase}”: {self.instead}"


def faults(path: Path, text: str) -> Iterator[Fault]:
    """Yield every fault of one file, without order."""
    if path.suffix != ".py":  # ruff's E501 has these
        yield from _long_lines(path, text)
    for passage in passages(path, text):
        yield from (Fault(path, *finding) for finding in _in_passage(passage))


def _in_passage(passage: Passage) -> Iterator[tuple[int, str, str]]:
    # Every word keeps its line: what is removed leaves its line breaks.
    text = "\n".join(line for _, line in passage.lines)
    text = _LINK.sub(lambda match: match[1] or match[2] or "", text)
    text = _NOT_PROSE.sub(lambda match: "X" + "\n" * match[0].count("\n"), text)

    def line(offset: int) -> int:
        return passage.lines[min(text.count("\n", 0, offset), len(passage.lines) - 1)][0]

    flat = text.replace("\n", " ")
    sentences, start = [], 0
    for end in [*(match.end() for match in _SENTENCE.finditer(flat)), len(flat)]:
        sentences.append((start, flat[start:end]))
        start = end
    if passage.is_start:
        is_title = passage.is_heading or sentences[0][1].rstrip().endswith("?")
        for pattern, instead in _STARTS if is_title else _STARTS + _QUESTIONS:
            if match := pattern.search(flat):
                yield line(0), match[0], instead
    for pattern, instead in _ANYWHERE:
        for match in pattern.finditer(flat):
            yield line(match.start()), match[0], instead
    for offset, sentence in [] if passage.is_cell else sentences:
        count = len(_WORD.findall(sentence))
        if count > _LIST["longest_sentence"]:
            begin = " ".join(sentence.split()[:6])
            yield line(offset), begin + " ...", f"{count} words in one sentence"


def _long_lines(path: Path, text: str) -> Iterator[Fault]:
    is_code = False
    for number, line in enumerate(text.splitlines(), 1):
        if path.suffix == ".md":
            is_code ^= line.lstrip().startswith("```")
            # Code, a row of a table, a link and a picture cannot be wrapped.
            if is_code or re.match(r"    \S|\s*(\||!\[|\[[^\]]*\]:)", line):
                continue
        if len(line) > _LIST["longest_line"] and " " in line.strip(" /!#-*>")[:100]:
            yield Fault(
                path, number, line.strip()[:40] + " ...", f"{len(line)} columns in one line"
            )
