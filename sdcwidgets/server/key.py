"""The key of a server that others can reach: part of the address that is printed, or typed once on a page."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import secrets
from typing import Any

from jupyter_server.auth import User
from jupyter_server.auth.decorator import allow_unauthenticated
from jupyter_server.auth.identity import IdentityProvider
from jupyter_server.auth.login import LoginFormHandler
from tornado.web import HTTPError, RequestHandler
from traitlets import Unicode

from sdcwidgets._util.errors import InputError

#: A key of fewer characters is guessed.
SHORTEST = 6

#: Seconds that a wrong key takes. Those from one address wait for each other, at most so many; then no key of it is
#: looked at.
WRONG, MOST_WRONG = 0.5, 10

#: Beginnings of addresses of IPv6 whose last 32 bits are one of IPv4: RFC 4291, section 2.5.5.2; RFC 6052, section 2.1.
_WITH_IPV4 = [int(ipaddress.IPv6Address(begin)) >> 32 for begin in ("::ffff:0:0", "64:ff9b::")]

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def new_key() -> str:
    """Return a key that can be read aloud: no letter looks like a digit."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(3))


def check_key(key: str) -> str:
    """Return a key that was chosen, or raise InputError."""
    if len(key) < SHORTEST or not key.isascii() or not key.replace("-", "").replace("_", "").isalnum():
        raise InputError(
            f"The key {key!r} cannot be used; it needs {SHORTEST} or more letters, digits, - and _, and nothing else."
        )
    return key


class _Line:
    """The wrong keys that came from one address and are waiting for their answers."""

    def __init__(self) -> None:
        self.waiting, self.turn = 0, asyncio.Lock()


def network(address: str) -> str:
    """Return what one visitor has of addresses: one of IPv4, in whichever notation, or 2^64 neighbours of IPv6.

    >>> network("192.0.2.7"), network("::ffff:192.0.2.7"), network("64:ff9b::192.0.2.7")
    ('192.0.2.7', '192.0.2.7', '192.0.2.7')
    >>> network("2001:db8::1:2") == network("2001:db8::ffff")
    True
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if int(parsed) >> 32 in _WITH_IPV4:
        parsed = ipaddress.IPv4Address(int(parsed) & 0xFFFF_FFFF)
    return str(parsed) if parsed.version == 4 else str(ipaddress.ip_network((int(parsed), 64), strict=False))


class Keys(IdentityProvider):
    """Everyone is the same guest, who has the key or needs none."""

    key = Unicode("", config=True, help="What a visitor must know; empty if nothing.")

    def __init__(self, **settings: object) -> None:
        super().__init__(**settings)
        self._lines: dict[str, _Line] = {}
        # What a browser keeps says nothing of the key, and is worth nothing to another server.
        self._let_in = secrets.token_bytes(32)

    @property
    def auth_enabled(self) -> bool:
        """Whether a key is needed."""
        return bool(self.key)

    async def get_user(self, handler: RequestHandler) -> User | None:
        """Return the guest, if the cookie or the address holds the key."""
        if not self.key:
            return _guest()
        cookie = handler.get_secure_cookie(self.get_cookie_name(handler))
        if cookie is not None and hmac.compare_digest(cookie, self._let_in):
            return _guest()
        typed = handler.get_query_argument("key", "")
        if typed and await self.fits(handler, typed):
            self.let_in(handler)
            return _guest()
        return None

    async def fits(self, handler: RequestHandler, typed: str, key: str = "") -> bool:
        """Return whether what was typed is this key, or the server's; a wrong one waits for those from its address.

        Raises
        ------
        HTTPError
            429, if so many wrong ones are waiting that this one is not looked at.
        """
        address = network(handler.request.remote_ip or "")
        line = self._lines.get(address, _Line())
        if line.waiting >= MOST_WRONG:
            raise HTTPError(429)
        if hmac.compare_digest(typed.strip().encode(), (key or self.key).encode()):
            return True
        self._lines[address] = line
        line.waiting += 1
        try:
            async with line.turn:
                await asyncio.sleep(WRONG)
        finally:
            line.waiting -= 1
            if not line.waiting:
                self._lines.pop(address, None)
        return False

    def let_in(self, handler: Any) -> None:
        """Give the browser a cookie that stands for the key until the server ends."""
        name = self.get_cookie_name(handler)
        handler.set_secure_cookie(
            name,
            self._let_in,
            expires_days=None,
            httponly=True,
            path=handler.base_url,
        )

    def is_token_authenticated(self, handler: object) -> bool:
        """Return False: a key in an address is no reason to skip other checks."""
        return False


def _guest() -> User:
    return User("guest", "Guest", "Guest", "G")


class RequiresKeyMixin:
    """A handler whose visitor is nobody until it is known who it is, so that any request can be refused with a page."""

    def get_current_user(self) -> Any:
        """Return nobody; `prepare` finds out."""
        return None

    def set_cookie(self, name: str, value: str | bytes, *rest: object, **options: object) -> None:
        """Set a cookie that other sites do not send, and that leaves https never."""
        handler: Any = self
        safe = {"samesite": "Lax", "secure": handler.request.protocol == "https"}
        super().set_cookie(name, value, *rest, **safe | options)  # type: ignore[misc]


class KeyPage(RequiresKeyMixin, LoginFormHandler):
    """The page that asks for the key."""

    @allow_unauthenticated
    def get(self) -> None:
        """Ask for the key, or go on for those who have it."""
        if self.current_user:
            self._go_on()
        else:
            self._ask()

    @allow_unauthenticated
    async def post(self) -> None:
        """Let a visitor with the right key in."""
        keys = self.identity_provider
        if not isinstance(keys, Keys):
            raise HTTPError(404)
        if not await keys.fits(self, self.get_body_argument("key", "")):
            self.set_status(401)
            self._ask(wrong=True)
            return
        keys.let_in(self)
        self._go_on()

    def _go_on(self) -> None:
        """Lead to the page that was asked for, or refuse what is no address."""
        to = self.get_argument("next", self.base_url)
        if not to.isprintable():
            raise HTTPError(400)
        try:
            self._redirect_safe(to)
        except ValueError:
            raise HTTPError(400) from None

    def _ask(self, *, wrong: bool = False) -> None:
        self.set_header("Cache-Control", "no-store")
        here = self.get_argument("next", self.base_url)
        self.write(self.render_template("key.html", next_page=here, wrong=wrong))
