"""Arithmetic of a script's code that cannot grow: neither numbers nor texts without a bound."""

from __future__ import annotations

import ast
import operator
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["FUNCTIONS", "bounded"]

_MOST_BITS = 128
"""Fields of TCP_INFO have 64."""
_MOST_LETTERS = 1000
_LONG_WIDTH = re.compile(r"\d{4,}")
_LONG_DIRECTIVE = re.compile(r"%[-+ #0]*(\*|\d{4,}|\d*\.(\*|\d{4,}))")
_MOST_DIGITS = 100
"""A float has 17."""

_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
}


def bounded(tree: ast.Module) -> ast.Module:
    """A script's code with calls of `FUNCTIONS` where its operators, tuples and texts are.

    Raises
    ------
    ValueError
        If a text is padded to a width that is not a small constant.
    """
    changed: ast.Module = _Bounding().visit(tree)
    return ast.fix_missing_locations(changed)


class _Bounding(ast.NodeTransformer):
    """Puts a call where a value could grow. The names of the methods are those of ast."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return _call(_apply, ast.Constant(type(node.op).__name__), node.left, node.right)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        if not isinstance(node.target, ast.Name):
            raise ValueError("only a variable can be changed")  # noqa: TRY004 - of the text
        read = ast.Name(node.target.id, ast.Load())
        value = self.visit_BinOp(ast.BinOp(read, node.op, node.value))
        return ast.Assign([node.target], value)

    def visit_Tuple(self, node: ast.Tuple) -> ast.expr:
        self.generic_visit(node)
        return node if isinstance(node.ctx, ast.Store) else _call(_flat, *node.elts)

    def visit_List(self, node: ast.List) -> ast.expr:
        self.generic_visit(node)
        return node if isinstance(node.ctx, ast.Store) else _call(_flat, *node.elts)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.expr:
        if node.format_spec is not None and _LONG_WIDTH.search(_constant(node.format_spec)):
            raise ValueError("a text is padded to more than 999 letters")
        self.generic_visit(node)
        return ast.FormattedValue(_call(_short, node.value), node.conversion, node.format_spec)


def _call(function: Callable[..., Any], *operands: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(function.__name__, ast.Load()), list(operands), [])


def _constant(spec: ast.expr) -> str:
    parts = spec.values if isinstance(spec, ast.JoinedStr) else [spec]
    if not all(isinstance(part, ast.Constant) for part in parts):
        raise ValueError("the width of a text must be a constant")
    return "".join(str(part.value) for part in parts if isinstance(part, ast.Constant))


def _apply(name: str, left: Any, right: Any) -> Any:
    numbers = isinstance(left, int | float) and isinstance(right, int | float)
    if not numbers:
        _check_texts(name, left, right)
    value = _OPERATORS[name](left, right)
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        raise ValueError(f"a number of more than {_MOST_BITS} bits")
    return _short(value)


def _check_texts(name: str, left: Any, right: Any) -> None:
    if name == "Mod" and isinstance(left, str):
        if _LONG_DIRECTIVE.search(left):
            raise ValueError("a text is padded to more than 999 letters")
    elif name != "Add":
        raise ValueError(f"{type(left).__name__} and {type(right).__name__} are not numbers")


def _flat(*values: Any) -> tuple[Any, ...]:
    if any(isinstance(value, tuple) for value in values):
        raise ValueError("a tuple in a tuple")
    return values


def _short(value: Any) -> Any:
    if isinstance(value, str | tuple) and len(value) > _MOST_LETTERS:
        raise ValueError(f"a text of more than {_MOST_LETTERS:,} letters")
    return value


def _round(value: float, digits: int | None = None) -> float:
    if digits is not None and abs(digits) > _MOST_DIGITS:
        raise ValueError(f"at most {_MOST_DIGITS} digits")
    return round(value, digits)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "min": min,
    "max": max,
    "int": int,
    "float": float,
    "round": _round,
    "len": len,
    "print": lambda *_, **__: None,
    "_apply": _apply,
    "_flat": _flat,
    "_short": _short,
}
"""Functions of a script. An underscore begins what stands for operators, tuples, texts in texts."""
