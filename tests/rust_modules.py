"""The imports between the modules of a Rust crate, read from the text of its sources.

A circle is looked for among the modules of each folder by themselves: what a folder's ``mod.rs``
takes from its own modules, and they from it, is within the folder.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import networkx as nx

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Module: TypeAlias = tuple[str, ...]

_COMMENT = re.compile(r'//[^\n]*|"(?:\\.|[^"\\])*"', re.DOTALL)
_TESTS = re.compile(r"#\[cfg\(test\)\]\s*(pub(\([a-z]+\))? )?mod \w+\s*(;|\{)")
_USE = re.compile(r"\b(?P<public>pub(?:\([a-z]+\))? +)?use +(?P<tree>[^;]+);")
_PATH = re.compile(r"\b(?:crate|super|self)(?:::\w+)+")


@dataclass
class Crate:
    """The modules of one crate, and what they import."""

    source: Path
    files: dict[Module, Path] = field(default_factory=dict)
    texts: dict[Module, str] = field(default_factory=dict)
    exports: dict[Module, dict[str, Module]] = field(default_factory=dict)

    @classmethod
    def read(cls, source: Path) -> Crate:
        """Read all modules below a crate's ``src``, without those that only tests have."""
        crate = cls(source)
        for file in sorted(source.rglob("*.rs")):
            parts = file.relative_to(source).with_suffix("").parts
            module = parts[:-1] if parts[-1] in {"mod", "lib"} else parts
            crate.files[module] = file
        for module, file in crate.files.items():
            crate.texts[module] = _without_tests(_COMMENT.sub("", file.read_text("utf-8")))
        for module, text in crate.texts.items():
            crate.exports[module] = dict(crate._exported(module, text))
        return crate

    def circles(self) -> list[str]:
        """Describe each circle among the modules of a folder, with the imports that close it."""
        graphs: dict[Module, nx.DiGraph[str]] = {}
        for module in self.texts:
            if _is_of_tests(module):
                continue
            for target in self.imports(module):
                folder = _common(module, target)
                if folder in (module, target):
                    continue
                ends = module[len(folder)], target[len(folder)]
                graphs.setdefault(folder, nx.DiGraph()).add_edge(
                    *ends, why=f"{'::'.join(module)} -> {'::'.join(target)}"
                )
        return [
            _described(folder, graph.subgraph(circle))
            for folder, graph in sorted(graphs.items())
            for circle in sorted(nx.strongly_connected_components(graph), key=min)
            if len(circle) > 1
        ]

    def imports(self, module: Module) -> Iterator[Module]:
        """Give the modules whose items a module names, in ``use`` or by a whole path."""
        text = self.texts[module]
        for use in _USE.finditer(text):
            for path in _leaves(use["tree"]):
                yield from self._resolved(module, path)
        for whole in _PATH.finditer(_USE.sub("", text)):
            yield from self._resolved(module, whole[0].split("::"))

    def _exported(self, module: Module, text: str) -> Iterator[tuple[str, Module]]:
        for use in _USE.finditer(text):
            for path in _leaves(use["tree"]) if use["public"] else ():
                target = next(self._absolute(module, path), None)
                if target is not None:
                    yield path[-1], self._longest(target)

    def _resolved(self, module: Module, path: list[str]) -> Iterator[Module]:
        for absolute in self._absolute(module, path):
            target = self._longest(absolute)
            rest = absolute[len(target) :]
            seen = {target}
            while rest and (next_ := self.exports[target].get(rest[0])) and next_ not in seen:
                target = next_
                seen.add(target)
            yield target

    def _absolute(self, module: Module, path: list[str]) -> Iterator[Module]:
        match path:
            case ["crate", *rest]:
                yield tuple(rest)
            case ["self", *rest]:
                yield (*module, *rest)
            case ["super", *_]:
                count = sum(part == "super" for part in path)
                yield (*module[: len(module) - count], *path[count:])
            case [first, *_] if (*module, first) in self.files:
                yield (*module, *path)

    def _longest(self, path: Module) -> Module:
        return next(path[:n] for n in range(len(path), -1, -1) if path[:n] in self.files)


def _without_tests(text: str) -> str:
    while match := _TESTS.search(text):
        end = match.end()
        if match[3] == "{":
            depth = 1
            while depth:
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
        text = text[: match.start()] + text[end:]
    return text


def _is_of_tests(module: Module) -> bool:
    return module[-1:] in {("tests",), ("testing",)}


def _leaves(tree: str) -> list[list[str]]:
    """Split ``a::{b, c::{d, e as f}}`` into its paths."""
    tree = tree.strip()
    head, brace, inner = tree.partition("{")
    start = [part for part in head.split("::") if part.strip()]
    if not brace:
        return [[part.split(" as ")[0].strip() for part in start]]
    leaves, depth, piece = [], 0, ""
    for letter in inner[: inner.rindex("}")] + ",":
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            leaves += _leaves(piece) if piece.strip() else []
            piece = ""
        else:
            piece += letter
    return [[part.strip() for part in start] + leaf for leaf in leaves]


def _common(module: Module, other: Module) -> Module:
    length = 0
    while length < min(len(module), len(other)) and module[length] == other[length]:
        length += 1
    return module[:length]


def _described(folder: Module, circle: nx.DiGraph[str]) -> str:
    imports = "; ".join(sorted(data["why"] for _, _, data in circle.edges(data=True)))
    return f"{'::'.join(folder) or 'src'}: {', '.join(sorted(circle))} ({imports})"
