"""Prose of a source file: doc comments, docstrings, comments and Markdown, with line numbers."""

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Passage:
    """Consecutive words: a paragraph, a list item, a cell of a table."""

    lines: tuple[tuple[int, str], ...]
    """Line number and text without comment signs."""
    is_start: bool
    """Does a doc comment, a docstring or an item of Markdown begin here?"""
    is_heading: bool = False
    is_cell: bool = False
    """A cell of a table holds data: its sentences may be long."""


def passages(path: Path, text: str) -> Iterator[Passage]:
    """Yield every passage of a file, by its suffix: .rs, .py or .md."""
    match path.suffix:
        case ".rs":
            yield from _rust(text)
        case ".py":
            yield from _python(text)
        case ".md":
            yield from _blocks(enumerate(text.splitlines(), 1), is_page=True)


_COMMENT = re.compile(r"^\s*(///|//!|//)(?!/) ?(.*)$")


def _rust(text: str) -> Iterator[Passage]:
    run: list[tuple[int, str]] = []
    sign = ""
    for number, line in enumerate([*text.splitlines(), ""], 1):
        match = _COMMENT.match(line)
        if run and (match is None or match[1] != sign):
            yield from _blocks(run, is_doc=sign != "//")
            run = []
        if match is not None:
            sign = match[1]
            run.append((number, match[2]))


def _python(text: str) -> Iterator[Passage]:
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            first, last = node.lineno, node.end_lineno or node.lineno
            inside = [lines[number - 1] for number in range(first, last + 1)]
            inside[0] = re.sub(r'^\s*[rRuU]?("""|\'\'\'|"|\')', "", inside[0])
            inside[-1] = re.sub(r'("""|\'\'\'|"|\')\s*$', "", inside[-1])
            indent = " " * node.col_offset
            outer = [line.removeprefix(indent) for line in inside]
            yield from _blocks(enumerate(outer, first), is_doc=True)
    run: list[tuple[int, str]] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            number = token.start[0]
            if run and run[-1][0] + 1 != number:
                yield from _blocks(run)
                run = []
            run.append((number, token.string.lstrip("#: ")))
    yield from _blocks(run)


_ITEM = re.compile(r"^\s*([-*+]|\d+\.) +")
_FENCE = re.compile(r"^\s*(```|~~~)")
_UNDERLINE = re.compile(r"^\s*(-{3,}|={3,})\s*$")


def _blocks(
    lines: Iterable[tuple[int, str]], is_doc: bool = False, is_page: bool = False
) -> Iterator[Passage]:
    """Yield the passages of numbered lines; the first starts a doc, each starts one on a page."""
    run: list[tuple[int, str]] = []
    is_first, is_code, is_indented = True, False, False
    for number, line in [*lines, (0, "")]:
        fence = bool(_FENCE.match(line))
        heading = line.lstrip().startswith("#") and (is_doc or is_page)
        cells = line.strip().startswith("|")
        item = bool(_ITEM.match(line))
        quote = line.lstrip().startswith(">")
        is_indented = line.startswith("    ") and (not run or is_indented) and not item
        underline = bool(_UNDERLINE.match(line))
        ends = not line.strip() or fence or heading or cells or item or quote or is_indented
        if run and (ends or is_code or underline):
            yield Passage(tuple(run), is_page or (is_doc and is_first))
            run, is_first = [], False
        if fence:
            is_code = not is_code
        elif cells and not is_code:
            for cell in line.strip().strip("|").split(" | "):
                yield Passage(((number, cell),), is_start=is_page, is_cell=True)
        elif heading and not is_code:
            yield Passage(((number, line.lstrip("# ")),), is_start=is_page, is_heading=True)
        elif item and not is_code:
            run.append((number, _ITEM.sub("", line)))
        elif line.strip() and not (is_code or is_indented or underline or quote):
            run.append((number, line.strip()))
