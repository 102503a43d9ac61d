"""Access key of a server: part of the printed URL, or entered on the login page."""

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

#: Minimum number of characters of a chosen key.
SHORTEST = 6

#: Delay of a wrong key in seconds, and maximum number of wrong keys per address that wait in turn. While that
#: many wait, all further keys from the address are rejected unread.
WRONG, MOST_WRONG = 0.5, 10

#: IPv6 prefixes of addresses that embed an IPv4 address in the last 32 bits: RFC 4291, section 2.5.5.2, and
#: RFC 6052, section 2.1.
_WITH_IPV4 = [int(ipaddress.IPv6Address(begin)) >> 32 for begin in ("::ffff:0:0", "64:ff9b::")]

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def new_key() -> str:
    """Return a random key that can be read aloud, without characters that look alike."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(3))


def check_key(key: str) -> str:
    """Return a chosen key, or raise InputError if it is too short or malformed."""
    if len(key) < SHORTEST or not key.isascii() or not key.replace("-", "").replace("_", "").isalnum():
        raise InputError(
            f"The key {key!r} is not valid; it must have at least {SHORTEST} letters, digits, - or _."
        )
    return key


class _Line:
    """Queue of the wrong keys from one client address."""

    def __init__(self) -> None:
        self.waiting, self.turn = 0, asyncio.Lock()


def network(address: str) -> str:
    """Return the IPv4 address of a visitor, or the /64 network of an IPv6 address.

    Examples
    --------
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
    """Identity provider with one guest user for all visitors with the access key."""

    key = Unicode("", config=True, help="Access key of the server; empty for none.")

    def __init__(self, **settings: object) -> None:
        super().__init__(**settings)
        self._lines: dict[str, _Line] = {}
        # The cookie is random: it does not reveal the key and is worthless to another server.
        self._let_in = secrets.token_bytes(32)

    @property
    def auth_enabled(self) -> bool:
        """Whether the server requires an access key."""
        return bool(self.key)

    async def get_user(self, handler: RequestHandler) -> User | None:
        """Return the guest if the cookie or the URL contains the key, else None."""
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
        """Return whether a typed key is correct; delay the reply if it is wrong.

        Parameters
        ----------
        handler : RequestHandler
            Handler of the request.
        typed : str
            The typed key.
        key : str, default ""
            Correct key; the server's key if empty.

        Raises
        ------
        HTTPError
            With status 429 if the maximum number of wrong keys from this address is waiting.
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
        """Set a cookie that replaces the key until the server ends."""
        name = self.get_cookie_name(handler)
        handler.set_secure_cookie(
            name,
            self._let_in,
            expires_days=None,
            httponly=True,
            path=handler.base_url,
        )

    def is_token_authenticated(self, handler: object) -> bool:
        """Return False, because a key in the URL must not disable other checks."""
        return False


def _guest() -> User:
    return User("guest", "Guest", "Guest", "G")


class RequiresKeyMixin:
    """Handler mixin whose user is unknown until `prepare` has run.

    Any request can therefore be rejected with an error page.
    """

    def get_current_user(self) -> Any:
        """Return None; `prepare` determines the user."""
        return None

    def set_cookie(self, name: str, value: str | bytes, *rest: object, **options: object) -> None:
        """Set a cookie with SameSite=Lax, and with Secure on https."""
        handler: Any = self
        safe = {"samesite": "Lax", "secure": handler.request.protocol == "https"}
        super().set_cookie(name, value, *rest, **safe | options)  # type: ignore[misc]


class KeyPage(RequiresKeyMixin, LoginFormHandler):
    """Login page, which prompts for the access key."""

    @allow_unauthenticated
    def get(self) -> None:
        """Show the form, or redirect visitors who have the key."""
        if self.current_user:
            self._go_on()
        else:
            self._ask()

    @allow_unauthenticated
    async def post(self) -> None:
        """Check the submitted key and redirect if it is correct."""
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
        """Redirect to the requested page, or raise 400 if its address is invalid."""
        if not self.get_argument("next", self.base_url).isprintable():
            raise HTTPError(400)
        self.current_user = _guest()
        try:
            super().get()  # redirects a user to `next`, if it is a page of this server
        except ValueError:
            raise HTTPError(400) from None

    def _ask(self, *, wrong: bool = False) -> None:
        self.set_header("Cache-Control", "no-store")
        here = self.get_argument("next", self.base_url)
        self.write(self.render_template("key.html", next_page=here, wrong=wrong))
