"""Content-Security-Policy of served pages.

A page runs scripts of this server only, no handlers in markup (a label with `onerror=` has no effect), and
sends data to this server only. Four rules are wider than necessary for the pages of this project. anywidget
loads the module of a widget as a `blob:` script. Voila's own front end, which shows pages with widgets of
other packages, compiles schemas (`unsafe-eval`). Widgets have styles in the page, and pictures are `data:`.
"""

from __future__ import annotations


def policy(nonce: str = "") -> str:
    """Return the policy of a page that allows inline scripts with `nonce`.

    Without a nonce, no inline script may run.
    """
    inline = f" 'nonce-{nonce}'" if nonce else ""
    return "; ".join(
        [
            "default-src 'self'",
            f"script-src 'self' blob: 'unsafe-eval'{inline}",
            "script-src-attr 'none'",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'self'",
        ]
    )
