"""What a page may load and run: the Content-Security-Policy.

Own scripts only, no handlers in markup (a label with `onerror=` stays dead), and nowhere to send data to. Four things
are wider than one would like, since the front end of Jupyter and Voila needs them: `blob:` scripts, as which
anywidget loads a widget's module; `unsafe-eval`, by which Jupyter compiles its schemas; styles in the page,
by which widgets are laid out; and `data:` pictures.
"""

from __future__ import annotations


def policy(nonce: str = "") -> str:
    """Return the policy of a page whose own inline scripts carry `nonce`; without one none may run."""
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
