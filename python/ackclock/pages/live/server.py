"""A server on this machine that shows a page and answers its questions about scenarios.

Only this machine reaches it, and only with the token that its address holds: a page of another
origin, or another user of the machine, does not know it.
"""

from __future__ import annotations

import json
import secrets
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, ClassVar

from ackclock.pages.live.error import LiveError
from ackclock.pages.live.policy import OF_DATA, header_of

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["LiveServer"]

HOST = "127.0.0.1"
MOST_BYTES = 16_000_000
"""Largest question that is read, bytes: a scenario with its traces."""

_WAIT = 10.0
"""Time that a client may take to send a question, s."""


class LiveServer(HTTPServer):
    """A server of one page at `address`; `serve_forever` runs it.

    Parameters
    ----------
    page
        The page as HTML text.
    answer
        Answers a question, which is JSON, by JSON; it is called for one question at a time.

    Raises
    ------
    LiveError
        If no port can be opened, or the page has no content security policy.
    """

    def __init__(self, page: str, answer: Callable[[str], str]) -> None:
        token = secrets.token_urlsafe(16)
        handler = type(
            "Handler",
            (_Handler,),
            {
                "page": page.encode(),
                "policy": header_of(page),
                "answer": staticmethod(answer),
                "token": token,
            },
        )
        try:
            super().__init__((HOST, 0), handler)
        except OSError as error:
            raise LiveError(f"no port of {HOST} can be opened: {error.strerror}") from None
        self.address = f"http://{HOST}:{self.server_port}/{token}/"


class _Handler(BaseHTTPRequestHandler):
    page: ClassVar[bytes]
    policy: ClassVar[str]
    answer: ClassVar[Callable[[str], str]]
    token: ClassVar[str]
    timeout = _WAIT

    def do_GET(self) -> None:
        """Send the page."""
        if self._is_refused(f"/{self.token}/"):
            return
        self._send(HTTPStatus.OK, self.page, "text/html; charset=utf-8", self.policy)

    def do_POST(self) -> None:
        """Answer a question."""
        if self._is_refused(f"/{self.token}/ask"):
            return
        if self.headers.get_content_type() != "application/json":
            self._refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a question is application/json")
            return
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "a question has a Content-Length")
            return
        if int(length) > MOST_BYTES:
            self._refuse(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a question has at most {MOST_BYTES:,} bytes"
            )
            return
        try:
            answer = type(self).answer(self.rfile.read(int(length)).decode("utf-8"))
        except (ValueError, KeyError, TypeError, RecursionError):
            self._refuse(HTTPStatus.BAD_REQUEST, "this is no question")
            return
        except Exception as error:
            message = f"a defect of ackclock, please report it: {type(error).__name__}: {error}"
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, message)
            return
        self._send(HTTPStatus.OK, answer.encode(), "application/json")

    def _is_refused(self, path: str) -> bool:
        """Refuse another machine's name, another origin, and another path."""
        port = self.server.server_port  # type: ignore[attr-defined]
        hosts = {f"{name}:{port}" for name in (HOST, "localhost")}
        origin = self.headers.get("Origin")
        if self.headers.get("Host") not in hosts or (
            origin is not None and origin not in {f"http://{host}" for host in hosts}
        ):
            self._refuse(HTTPStatus.FORBIDDEN, "only the page of this server may ask")
            return True
        if self.path != path:
            self._refuse(HTTPStatus.NOT_FOUND, "there is nothing here")
            return True
        return False

    def _refuse(self, status: HTTPStatus, reason: str) -> None:
        self._send(status, json.dumps({"fault": reason}).encode(), "application/json")

    def _send(self, status: HTTPStatus, body: bytes, kind: str, policy: str = OF_DATA) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Security-Policy", policy)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep the terminal quiet."""
