"""The scripts of a page as one file: everything is in it once, and nothing of it is asked for again."""

import gzip
import re
from urllib.request import Request, urlopen

from sdcwidgets.server import frontend
from sdcwidgets.server.frontend import ENTRY, FrontEnd


def test_the_pieces_come_before_what_loads_them(tmp_path):
    voila, extension = tmp_path / "voila", tmp_path / "extension"
    voila.mkdir()
    extension.mkdir()
    (voila / ENTRY).write_text("Promise.all([x.e(7), x.e(12), x.e(99)])")
    for number in (7, 12, 31):
        (voila / f"{number}.{ENTRY}").write_text(f"push({number}) // the end")
    (extension / "84.09c61a.js").write_text("push(84)")
    (extension / "remoteEntry.698d.js").write_text("entry")
    together = FrontEnd(voila, [extension])
    assert together.source().decode().split("\n;\n") == [
        frontend.NOTHING.decode(),
        "push(7) // the end",
        "push(12) // the end",
        "push(84)",
        "Promise.all([x.e(7), x.e(12), x.e(99)])",
    ]
    assert gzip.decompress(together.compressed()) == together.source()


def test_another_content_has_another_version(tmp_path):
    (tmp_path / ENTRY).write_text("one")
    first = FrontEnd(tmp_path).version()
    (tmp_path / ENTRY).write_text("two")
    assert FrontEnd(tmp_path).version() != first


def test_the_installed_one_holds_what_draws_widgets():
    names = [file.name for file in frontend.installed().files]
    assert names[-1] == ENTRY
    assert len(names) == len(set(names)) > 40
    text = frontend.installed().source()
    assert all(name in text for name in (b"anywidget", b"jupyter-widgets", b"KernelConnection"))


def test_a_page_names_the_version_that_is_served(served):
    with urlopen(f"{served}voila/render/explore.ipynb", timeout=60) as answer:
        source = re.search(r'<script async src="([^"]+)"', answer.read().decode())[1]
    assert source.endswith(f"{frontend.ROUTE}?v={frontend.installed().version()}")
    asked = Request(served.rstrip("/") + source, headers={"Accept-Encoding": "gzip"})
    with urlopen(asked, timeout=60) as answer:
        assert "immutable" in answer.headers["Cache-Control"]
        assert gzip.decompress(answer.read()) == frontend.installed().source()
