"""The documentation, where it was built: `make docs` lays it into this package, and a wheel takes it along."""

from __future__ import annotations

from pathlib import Path

from jupyter_server.base.handlers import JupyterHandler
from tornado.web import RedirectHandler, StaticFileHandler, authenticated

from sdcwidgets.server.key import RequiresKeyMixin
from sdcwidgets.server.packed import PrecompressedFileHandler
from sdcwidgets.server.pages import ServedPage

SITE = Path(__file__).parents[1] / "site"


def built() -> bool:
    """Return whether the documentation is here."""
    return (SITE / "index.html").is_file()


class DocsFile(RequiresKeyMixin, PrecompressedFileHandler, JupyterHandler):
    """A file of the documentation."""

    @authenticated
    async def get(self, path: str, include_body: bool = True) -> None:  # type: ignore[override]
        """Send it to who has the key."""
        await StaticFileHandler.get(self, path, include_body)

    def set_extra_headers(self, path: str) -> None:
        """Let a browser ask each time whether it was built anew."""
        super().set_extra_headers(path)
        self.set_header("Cache-Control", "no-cache")


class NotBuilt(ServedPage):
    """The answer where nobody built it."""

    @authenticated
    async def get(self) -> None:
        """Say how it is built."""
        self.set_status(404)
        self.write(self.render_template("nodocs.html", status_code=404, status_message="Not built"))


def handlers(base_url: str, of_pages: dict[str, object]) -> list[tuple[object, ...]]:
    """Return the routes of the documentation, or of the page that says where it is."""
    if not built():
        return [("docs(?:/.*)?", NotBuilt, of_pages)]
    return [
        ("docs/?", RedirectHandler, {"url": f"{base_url}docs/index.html", "permanent": False}),
        ("docs/(.+)", DocsFile, {"path": str(SITE)}),
    ]
