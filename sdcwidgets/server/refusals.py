"""What is refused is refused with a page of this project, whichever package's handler refuses it."""

from __future__ import annotations

from http.client import responses
from typing import cast

from tornado.web import RequestHandler


class ErrorPageMixin:
    """A handler whose refusals are pages of this project; to be mixed into those of Tornado and Jupyter."""

    def write_error(self, status_code: int, **why: object) -> None:
        """Answer with the page of a status; another server, which has none of ours, says it in its way."""
        handler = cast(RequestHandler, self)
        pages = handler.settings.get("voila_jinja2_env")
        if pages is None:
            super().write_error(status_code, **why)  # type: ignore[misc]
            return
        page = pages.select_template([f"{status_code}.html", "error.html"])
        handler.set_header("Content-Type", "text/html; charset=utf-8")
        values = {"status_code": status_code, "status_message": responses.get(status_code, "Refused")}
        # Jupyter's own way to finish would call it JSON.
        RequestHandler.finish(handler, page.render(base_url=handler.settings["base_url"], **values))
