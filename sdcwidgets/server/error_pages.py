"""Error pages of this project for handlers of all packages."""

from __future__ import annotations

from http.client import responses
from typing import cast

from tornado.web import RequestHandler


class ErrorPageMixin:
    """Mixin that lets handlers of any package send error pages of this project."""

    def write_error(self, status_code: int, **why: object) -> None:
        """Send the error page of a status; other servers use their default page."""
        handler = cast(RequestHandler, self)
        pages = handler.settings.get("voila_jinja2_env")
        if pages is None:
            super().write_error(status_code, **why)  # type: ignore[misc]
            return
        page = pages.select_template([f"{status_code}.html", "error.html"])
        handler.set_header("Content-Type", "text/html; charset=utf-8")
        values = {"status_code": status_code, "status_message": responses.get(status_code, "Refused")}
        # Jupyter's `finish` would set the content type to JSON.
        RequestHandler.finish(handler, page.render(base_url=handler.settings["base_url"], **values))
