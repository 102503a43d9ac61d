"""The script and the style sheet of the front end, as a page names them and the server sends them."""

import gzip
import re
from urllib.request import Request, urlopen

import pytest

from sdcwidgets.server import frontend

#: Maximum number of bytes of the script, gzipped.
LIMIT = 200_000


def test_the_script_is_small():
    assert len(frontend.script().compressed()) < LIMIT


@pytest.mark.parametrize(
    ("tag", "route", "file", "kind"),
    [
        (r'<script async src="([^"]+)"', frontend.ROUTE, frontend.script(), "text/javascript"),
        (
            r'<link rel="stylesheet" href="([^"]+frontend[^"]+)"',
            frontend.STYLE_ROUTE,
            frontend.style(),
            "text/css",
        ),
    ],
    ids=["script", "style"],
)
def test_a_page_names_the_version_that_is_served(served, tag, route, file, kind):
    with urlopen(f"{served}voila/render/explore.ipynb", timeout=60) as answer:
        source = re.search(tag, answer.read().decode())[1]
    assert source.endswith(f"{route}?v={file.version()}")
    asked = Request(served.rstrip("/") + source, headers={"Accept-Encoding": "gzip"})
    with urlopen(asked, timeout=60) as answer:
        assert answer.headers["Content-Type"].startswith(kind)
        assert "immutable" in answer.headers["Cache-Control"]
        assert gzip.decompress(answer.read()) == file.source()
