"""Routes of the HTML documentation, which `make docs` builds into this package."""

from __future__ import annotations

from pathlib import Path

from jupyter_server.base.handlers import JupyterHandler
from tornado.web import RedirectHandler, StaticFileHandler, authenticated

from sdcwidgets.server.access_key import RequiresKeyMixin
from sdcwidgets.server.compressed_files import PrecompressedFileHandler
from sdcwidgets.server.pages import ServedPage

SITE = Path(__file__).parents[1] / "site"

#: Folder of the script that replaces the one of the site, so that links lead to live pages.
LIVE = Path(__file__).parent / "live"


def built() -> bool:
    """Return whether the documentation was built."""
    return (SITE / "index.html").is_file()


class DocsFile(RequiresKeyMixin, PrecompressedFileHandler, JupyterHandler):
    """A file of the documentation."""

    @authenticated
    async def get(self, path: str, include_body: bool = True) -> None:  # type: ignore[override]
        """Send the file to visitors with the access key."""
        await StaticFileHandler.get(self, path, include_body)

    def set_extra_headers(self, path: str) -> None:
        """Make browsers revalidate the file, because a new build may have replaced it."""
        super().set_extra_headers(path)
        self.set_header("Cache-Control", "no-cache")


class NotBuilt(ServedPage):
    """Page that is shown if the documentation was not built."""

    @authenticated
    async def get(self) -> None:
        """Explain how to build the documentation."""
        self.set_status(404)
        self.write(self.render_template("nodocs.html", status_code=404, status_message="Not built"))


def handlers(base_url: str, of_pages: dict[str, object]) -> list[tuple[object, ...]]:
    """Return the routes of the documentation."""
    if not built():
        return [("docs(?:/.*)?", NotBuilt, of_pages)]
    return [
        ("docs/?", RedirectHandler, {"url": f"{base_url}docs/index.html", "permanent": False}),
        (r"docs/assets/(live\.js)", DocsFile, {"path": str(LIVE)}),
        ("docs/(.+)", DocsFile, {"path": str(SITE)}),
    ]
