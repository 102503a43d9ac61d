"""The kernel behind a dashboard: `python -m sdcwidgets.server.kernel -f CONNECTION_FILE`.

An ipykernel that leaves out what a page never uses: a grammar of URLs, the history of what was typed, and
the start-up files of the person who happens to run the server.
"""

from __future__ import annotations

from sdcwidgets.server import skip_url_grammar


def main() -> None:
    """Start the kernel and serve until it is shut down."""
    skip_url_grammar()
    from ipykernel.kernelapp import IPKernelApp
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShellApp.exec_PYTHONSTARTUP = False
    config.IPKernelApp.matplotlib = None
    IPKernelApp.launch_instance(config=config)


if __name__ == "__main__":
    main()
