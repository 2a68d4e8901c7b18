"""Python between ``%{`` and ``}%``: assertions on the socket's state; only safe code may run."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from ackclock.errors import Error
from ackclock.packetdrill.bounded import FUNCTIONS, bounded

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CodeError", "UnknownStateError", "Variables"]

_CONSTANTS = {
    "TCP_CA_Open": 0,
    "TCP_CA_Disorder": 1,
    "TCP_CA_CWR": 2,
    "TCP_CA_Recovery": 3,
    "TCP_CA_Loss": 4,
    "TCP_ESTABLISHED": 1,
}
_ALLOWED = (
    ast.Module, ast.Assert, ast.Assign, ast.AugAssign, ast.Expr, ast.Pass, ast.If, ast.IfExp,
    ast.Name, ast.Load, ast.Store, ast.Constant, ast.Compare, ast.cmpop, ast.BoolOp, ast.boolop,
    ast.UnaryOp, ast.unaryop, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod,
    ast.Tuple, ast.List, ast.JoinedStr, ast.FormattedValue, ast.Call, ast.keyword,
)  # fmt: skip


class CodeError(Error, ValueError):
    """Code is not allowed, or an assertion fails; the text says which."""


class UnknownStateError(CodeError):
    """Code reads a field of TCP_INFO that the simulator does not have."""


class Variables:
    """The variables of a script's code, which its blocks share."""

    def __init__(self) -> None:
        self._own: dict[str, Any] = {}

    @staticmethod
    def asked(text: str) -> set[str]:
        """Names of the fields of TCP_INFO that code reads.

        Raises
        ------
        CodeError
            If the code is not Python.
        """
        return {
            node.id
            for node in ast.walk(_parsed(text))
            if isinstance(node, ast.Name) and node.id.startswith("tcpi_")
        }

    def answer(self, text: str, state: Mapping[str, float]) -> tuple[bool, str] | None:
        """Run one block; return whether its variables are known, and the problem, if any."""
        try:
            self.run(text, state)
        except CodeError as problem:
            return not isinstance(problem, UnknownStateError), str(problem)
        return None

    def run(self, text: str, state: Mapping[str, float]) -> None:
        """Run one block.

        Raises
        ------
        CodeError
            If an assertion fails, or the code is not allowed.
        """
        try:
            self._run(text, state)
        except RecursionError:
            raise CodeError(f"the code is nested too deeply: {text.strip()[:60]}") from None

    def _run(self, text: str, state: Mapping[str, float]) -> None:
        tree = _parsed(text)
        for node in ast.walk(tree):
            if not isinstance(node, _ALLOWED):
                raise CodeError(
                    f"{type(node).__name__} is not allowed in the code of a script: "
                    f"{ast.unparse(node)[:60]}"
                )
            if isinstance(node, ast.Call) and not (
                isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS
            ):
                raise CodeError(
                    f"only {', '.join(_named())} may be called: {ast.unparse(node)[:60]}"
                )
        missing = sorted(self.asked(text) - set(state))
        if missing:
            raise UnknownStateError(f"the simulator has no {missing[0]}")
        names = {
            "__builtins__": {"AssertionError": AssertionError, **FUNCTIONS},
            **_CONSTANTS,
            **self._own,
            **state,
        }
        for statement, safe in zip(tree.body, _bounded(text).body, strict=True):
            try:
                exec(compile(ast.Module([safe], []), "script", "exec"), names)
            except AssertionError as error:
                raise CodeError(_explained(statement, names, error)) from None
            except Exception as error:
                raise CodeError(
                    f"{ast.unparse(statement)}: {type(error).__name__}: {error}"
                ) from None
        hidden = {"__builtins__", *_CONSTANTS, *state}
        self._own = {name: value for name, value in names.items() if name not in hidden}


def _named() -> list[str]:
    return [name for name in FUNCTIONS if not name.startswith("_")]


def _bounded(text: str) -> ast.Module:
    try:
        return bounded(_parsed(text))
    except ValueError as error:
        raise CodeError(f"{error}: {text.strip()[:60]}") from None


def _parsed(text: str) -> ast.Module:
    import textwrap

    try:
        return ast.parse(textwrap.dedent(text.replace("\\\n", "\n")).strip())
    except (RecursionError, MemoryError):
        raise CodeError(f"the code is nested too deeply: {text.strip()[:60]}") from None
    except SyntaxError:
        pass
    try:
        # Simple statements, indented for the eye.
        lines = text.replace("\\\n", " ").splitlines()
        return ast.parse("\n".join(line.strip() for line in lines).strip())
    except SyntaxError as error:
        raise CodeError(f"the code is not Python: {error.msg}: {text.strip()[:60]}") from None


def _explained(statement: ast.stmt, names: Mapping[str, Any], error: AssertionError) -> str:
    shown = ast.unparse(statement.test if isinstance(statement, ast.Assert) else statement)
    asked = sorted(
        {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
        & set(names) - set(FUNCTIONS)
    )
    values = ", ".join(
        f"{name} is {names[name]}" for name in asked if isinstance(names[name], int | float | str)
    )
    return f"assert {shown}: {values or error}"
