"""Render notebooks as pages: Voila's renderer without repeated work per visitor."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import nbformat
from jupyter_core.utils import ensure_async
from nbclient.exceptions import CellExecutionError, DeadKernelError
from nbformat import NotebookNode
from voila.execute import VoilaExecutor
from voila.exporter import VoilaExporter
from voila.notebook_renderer import NotebookRenderer

from sdcwidgets.server.kernels import PageKernels, listening
from sdcwidgets.server.logs import log

#: Seconds without data before a comment is sent, because a proxy might close a silent connection.
SILENCE = 20

#: MIME type of a widget view. The plain text of such an output contains memory addresses and is removed.
_DRAWN = "application/vnd.jupyter.widget-view+json"


#: Notice in place of a cell that failed.
BROKEN = (
    '<p role="alert">This part of the page could not be computed. Please load the page again; '
    "if the problem persists, contact the administrator of this server.</p>"
)


#: Notice in place of a cell that ran out of memory.
SHORT = '<p role="alert">This part of the page needs more memory than this server allows for one session.</p>'


#: Exporters by server configuration, with compiled templates.
_EXPORTERS: WeakKeyDictionary[object, VoilaExporter] = WeakKeyDictionary()


def _exporter(page: NotebookRenderer) -> VoilaExporter:
    """Return the exporter of a server, which is created once because that is slow."""
    configuration = page.voila_configuration
    if configuration not in _EXPORTERS:
        _EXPORTERS[configuration] = exporter = VoilaExporter(
            template_paths=page.template_paths,
            template_name=configuration.template,
            config=page.traitlet_config,
            contents_manager=page.contents_manager,
            theme=configuration.theme,
            base_url=page.base_url,
            show_margins=configuration.show_margins,
            mathjax_url=f"{page.mathjax_url}?config={page.mathjax_config}",
            # The notebooks need none of the default preprocessors.
            default_preprocessors=[],
        )
        exporter.exclude_input = exporter.exclude_output_prompt = exporter.exclude_input_prompt = True
    return _EXPORTERS[configuration]


class PageRenderer(NotebookRenderer):
    """Renderer of a notebook for one visitor."""

    executor: Any = None

    async def load_notebook(self, path: str) -> object:
        """Return a copy of the notebook, which is read again only after a change."""
        file = Path(self.contents_manager.root_dir) / path
        return await self.fix_notebook(deepcopy(_read(file, file.stat().st_mtime_ns)))

    async def initialize(self, **settings: object) -> None:
        """Load the notebook and set the resources of the template."""
        self.notebook = await self.load_notebook(self.notebook_path)
        self.cwd = ""
        configuration = self.voila_configuration
        self.page_config["jupyterLabTheme"] = configuration.theme
        self.resources = {
            "base_url": self.base_url,
            "theme": configuration.theme,
            "template": configuration.template,
            "metadata": {"name": Path(self.notebook_path).stem},
            "page_config": self.page_config,
        }
        self.exporter = _exporter(self)

    async def pieces(self, kernels: PageKernels, kernel_id: str) -> AsyncIterator[str]:
        """Yield the page as its notebook runs, and a notice if the kernel ends."""
        try:
            async for piece, _ in self.generate_content_generator(kernel_id, kernels.get_kernel(kernel_id)):
                yield piece
        except RuntimeError:  # the kernel does not reply
            why = kernels.end_reasons.get(kernel_id)
            if why is None:
                log.error("No session could be started for a page: %s.", self.notebook_path)
            notice = f'<p role="alert">{why} Please load the page again.</p>' if why else BROKEN
            yield f"</div></main><style>#loading, sdc-first {{ display: none }}</style>{notice}</body></html>"

    async def _jinja_kernel_start(self, nb: NotebookNode, kernel_id: str, kernel_future: Any) -> str:
        """Connect to the running kernel."""
        self.executor = VoilaExecutor(
            nb,
            km=kernel_future,
            config=self.traitlet_config,
            show_tracebacks=self.voila_configuration.show_tracebacks,
            # Output of a cell is one block, however many messages it consists of.
            coalesce_streams=True,
        )
        self.executor.kc = kernel_future.client()
        await listening(self.executor.kc, self.executor.startup_timeout)
        return kernel_id

    async def _jinja_cell_generator(self, nb: NotebookNode, kernel_id: str) -> AsyncIterator[object]:
        """Yield the executed cells up to the first that fails.

        Voila's own generator continues after the visitor has disconnected.
        """
        for index, cell in enumerate(nb.cells):
            cell.outputs = []
            try:
                await self.executor.execute_cell(cell, None, index, store_history=False)
            except (CellExecutionError, TimeoutError) as error:
                tracebacks = self.voila_configuration.show_tracebacks
                log.error(
                    "A page could not be computed: %s. Start the server with --dev to log the error.",
                    self.notebook_path,
                    exc_info=tracebacks,
                )
                if not tracebacks:
                    short = getattr(error, "ename", "").endswith(("MemoryError", "OutOfMemoryException"))
                    html = SHORT if short else BROKEN
                    cell.outputs = [nbformat.v4.new_output("display_data", data={"text/html": html})]
                yield cell
                return
            except DeadKernelError:  # nbclient also raises this error when the task is cancelled
                task = asyncio.current_task()
                if task is not None and task.cancelling():
                    raise asyncio.CancelledError from None
                raise
            for output in cell.outputs:
                data = output.get("data", {})
                if _DRAWN in data:
                    data.pop("text/plain", None)
                if "text/html" in data:
                    # The empty corner cell of a pandas table is not a header.
                    data["text/html"] = data["text/html"].replace("<th></th>", "<td></td>")
            yield cell

    async def close(self) -> None:
        """Close the kernel client, at whichever point the rendering stopped."""
        if self.executor is not None and self.executor.kc is not None:
            await ensure_async(self.executor.kc.stop_channels())


@lru_cache(maxsize=64)
def _read(file: Path, changed: int) -> object:
    return nbformat.read(file, as_version=4)


async def with_signs_of_life(
    pieces: AsyncIterator[str], silence: float = SILENCE
) -> AsyncGenerator[str, None]:
    """Yield the pieces of a page, and an empty comment if none arrives in time.

    Pieces that arrive together are joined.
    """
    come: asyncio.Queue[str | None] = asyncio.Queue()

    async def read() -> None:
        try:
            async for piece in pieces:
                come.put_nowait(piece)
        finally:
            come.put_nowait(None)

    reading = asyncio.ensure_future(read())
    try:
        while True:
            try:
                together = [await asyncio.wait_for(come.get(), silence)]
            except TimeoutError:
                yield "<!-- -->\n"
                continue
            while not come.empty():
                together.append(come.get_nowait())
            text = "".join(piece for piece in together if piece is not None)
            if text:
                yield text
            if together[-1] is None:
                await reading
                return
    finally:
        reading.cancel()
        await asyncio.wait([reading])
