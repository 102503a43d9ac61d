"""QR codes of URLs; they require the extra "serve"."""

from __future__ import annotations

from io import BytesIO, StringIO

from sdcwidgets._util.extras import need


def qr(address: str) -> str:
    """Return the QR code of a URL as SVG."""
    need("serve", "segno", subject="A QR code")
    import segno

    written = BytesIO()
    segno.make(address, error="m").save(
        written,
        kind="svg",
        xmldecl=False,
        svgns=False,
        border=2,
        scale=4,
        light="#fff",
        title=address,
        omitsize=True,
    )
    return written.getvalue().decode()


def terminal(address: str) -> str:
    """Return the QR code of a URL as text for a terminal."""
    need("serve", "segno", subject="A QR code")
    import segno

    written = StringIO()
    segno.make(address, error="l").terminal(out=written, border=2, compact=True)
    return written.getvalue()
