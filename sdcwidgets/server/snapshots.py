"""Snapshots of pages, shown until the session of a visitor is ready.

`make snapshots` opens each page in Chromium and writes the markup of its header, lead and stage into a file. The
files are part of the package, so they contain no data of visitors. The snapshot is in a shadow tree, so it does
not interfere with the widgets, and it is removed as a whole.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from sdcwidgets.widgets.base import STATIC

#: Folder of the snapshots.
FOLDER = STATIC.parent / "snapshots"

#: End of the header in a snapshot.
_END_OF_FRAME = "<!--stage-->"

#: Stands behind the stage. A slow browser paints what it has parsed so far, and a phone shows the columns of a stage in
#: another order than they are parsed, so they would move.
_END_OF_STAGE = "<style>.sdc-stage{visibility:visible}</style>"

#: Rules of Jupyter's style sheets for boxes and texts, as far as pages do not override them.
_BOXES = """
:host { display: block; overflow-wrap: anywhere; }
.lm-Widget { position: relative; box-sizing: border-box; overflow: hidden; }
.jupyter-widgets { margin: 2px; overflow: visible; }
.widget-box { display: flex; margin: 0; }
.widget-vbox { flex-direction: column; }
.widget-html { display: flex; font-size: 13px; }
.widget-html-content { flex: 1 1 auto; align-self: stretch; line-height: 28px; }
.sdc-stage { visibility: hidden; }
::slotted(*) { position: absolute; z-index: 30; top: 14px; left: 50%; margin: 0; color: var(--sdc-mute); }
@media (max-width: 900px), print { :host(:not([data-frame])) ::slotted(*) { clip-path: inset(50%); } }
:host([data-frame]) ::slotted(*) { position: static; padding: 20vh 24px 0; text-align: center; }
"""


def snapshot(notebook: str, *, whole: bool = True) -> str:
    """Return the snapshot of a page with its style sheets, as the content of a shadow tree.

    Parameters
    ----------
    notebook : str
        File name of the notebook.
    whole : bool, default True
        Whether to include lead and stage. Without them, it is the header alone: the frame of a page whose state
        differs from that of the snapshot.

    Returns
    -------
    str
        Markup, or "" for a notebook without a snapshot.

    Examples
    --------
    >>> text = snapshot("explore.ipynb")
    >>> "<h1" in text, "<h1" in snapshot("explore.ipynb", whole=False), "<script" in text
    (True, False, False)
    """
    text = _read(FOLDER / f"{Path(notebook).stem}.html")
    if not text:
        return ""
    body = text + _END_OF_STAGE if whole else text.partition(_END_OF_FRAME)[0]
    return f"<style>{_styles()}</style>{body}"


@cache
def _read(file: Path) -> str:
    return file.read_text("utf-8") if file.is_file() else ""


@cache
def _styles() -> str:
    """Return the style sheets of all widgets, for a tree whose root is a host.

    As on the page, the rules of the page come before those of its widgets.
    """
    theme = (STATIC / "theme.css").read_text("utf-8").rstrip()
    files = sorted(STATIC.glob("*.css"), key=lambda file: (file.stem != "page", file.stem))
    text = theme + "".join(file.read_text("utf-8").removeprefix(theme) for file in files)
    return _BOXES + re.sub(r":root(\[[^\]]*\])", r":host(\1)", text).replace(":root{", ":host{")
