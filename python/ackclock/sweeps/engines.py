"""The engines that a sweep, a comparison or an evaluation asks for, each with its kernel's name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.messages import shown
from ackclock.scenario.engine import Engine, read_engine
from ackclock.scenario.errors import ScenarioError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["chosen_engine", "chosen_engines"]


def chosen_engine(
    text: object, key: str, file: str | None = None, *, finds_kernel: bool = True
) -> Engine:
    """The engine of a text; "virtual" is then the kernel that ``linux --virtual`` takes.

    Raises
    ------
    ScenarioError
        If it is none, or no kernel of its name is built.
    """
    from ackclock.engine.linux.machine import LinuxError

    try:
        engine = read_engine(text)
        if engine.kind != "virtual" or not finds_kernel:
            return engine
        from ackclock.engine.linux.virtual.kernels import virtual

        return engine._replace(kernel=virtual(engine.kernel).name)
    except LinuxError as error:
        raise ScenarioError(
            str(error), key=key, value=text, file=file, kind="unavailable"
        ) from None
    except ValueError as error:
        raise ScenarioError(
            str(error), key=key, value=text, file=file, kind="unknown-name"
        ) from None


def chosen_engines(texts: Sequence[str], key: str, file: str | None = None) -> list[Engine]:
    """The engines of texts, each once; a text alone is one of them.

    Raises
    ------
    ScenarioError
        If one is none or is there twice, or no kernel of its name is built.
    """
    engines: dict[Engine, str] = {}
    for text in [texts] if isinstance(texts, str) else texts:
        engine = chosen_engine(text, key, file)
        if engine in engines:
            also = "" if engines[engine] == text else f": '{engines[engine]}' is it, too"
            raise ScenarioError(
                f"{shown(text)} is there twice{also}", key=key, value=text, file=file
            )
        engines[engine] = text
    return list(engines)
