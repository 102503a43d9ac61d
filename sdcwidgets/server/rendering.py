"""Render notebooks as pages, with Voila's exporter and executor."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import nbformat
from jupyter_core.utils import ensure_async
from nbclient.exceptions import CellExecutionError, DeadKernelError
from nbformat import NotebookNode
from voila.app import Voila
from voila.execute import VoilaExecutor
from voila.exporter import VoilaExporter

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


def exporter(app: Voila) -> VoilaExporter:
    """Return the exporter of a server, which compiles the template once."""
    configuration = app.voila_configuration
    result = VoilaExporter(
        template_paths=app.template_paths,
        template_name=configuration.template,
        config=app.config,
        contents_manager=app.contents_manager,
        theme=configuration.theme,
        base_url=app.base_url,
        show_margins=configuration.show_margins,
        mathjax_url=f"{app.mathjax_url}?config={app.mathjax_config}",
        # The notebooks need none of the default preprocessors.
        default_preprocessors=[],
    )
    result.exclude_input = result.exclude_output_prompt = result.exclude_input_prompt = True
    return result


class PageRenderer:
    """Renderer of a notebook for one visitor.

    Parameters
    ----------
    app : Voila
        The server.
    exporter : VoilaExporter
        Exporter of the server.
    notebook_path : str
        Path of the notebook in the folder of the server.
    page_config : dict
        Configuration of the page.
    """

    def __init__(
        self, app: Voila, exporter: VoilaExporter, notebook_path: str, page_config: dict[str, object]
    ) -> None:
        self._app, self._exporter = app, exporter
        self._path = notebook_path
        self._page_config = page_config | {"jupyterLabTheme": app.voila_configuration.theme}
        self._executor: VoilaExecutor | None = None

    def _generate(self, kernels: PageKernels, kernel_id: str) -> AsyncIterator[tuple[str, object]]:
        """Generate the page; its template starts the kernel and runs the cells."""
        file = Path(self._app.root_dir) / self._path
        configuration = self._app.voila_configuration

        async def start(notebook: NotebookNode) -> str:
            await self._connect(notebook, kernels.get_kernel(kernel_id))
            return kernel_id

        generated: AsyncIterator[tuple[str, object]] = self._exporter.generate_from_notebook_node(
            _read(file, file.stat().st_mtime_ns),
            resources={
                "base_url": self._app.base_url,
                "theme": configuration.theme,
                "template": configuration.template,
                "metadata": {"name": file.stem},
                "page_config": self._page_config,
            },
            extra_context={"kernel_start": start, "cell_generator": self._cells},
            page_config=self._page_config,
        )
        return generated

    async def pieces(self, kernels: PageKernels, kernel_id: str) -> AsyncIterator[str]:
        """Yield the page as its notebook runs, and a notice if the kernel ends."""
        try:
            async for piece, _ in self._generate(kernels, kernel_id):
                yield piece
        except RuntimeError:  # the kernel does not reply
            why = kernels.end_reasons.get(kernel_id)
            if why is None:
                log.error("No session could be started for a page: %s.", self._path)
            notice = f'<p role="alert">{why} Please load the page again.</p>' if why else BROKEN
            yield f"</div></main><style>#loading, sdc-first {{ display: none }}</style>{notice}</body></html>"

    async def _connect(self, notebook: NotebookNode, kernel: Any) -> None:
        """Connect to the running kernel."""
        self._executor = VoilaExecutor(
            notebook,
            km=kernel,
            config=self._app.config,
            show_tracebacks=self._app.voila_configuration.show_tracebacks,
            # Output of a cell is one block, however many messages it consists of.
            coalesce_streams=True,
        )
        self._executor.kc = kernel.client()
        await listening(self._executor.kc, self._executor.startup_timeout)

    async def _cells(self, notebook: NotebookNode, kernel_id: str) -> AsyncIterator[object]:
        """Yield the executed cells up to the first that fails, or until the visitor has disconnected."""
        assert self._executor is not None
        for index, cell in enumerate(notebook.cells):
            cell.outputs = []
            try:
                await self._executor.execute_cell(cell, None, index, store_history=False)
            except (CellExecutionError, TimeoutError) as error:
                tracebacks = self._app.voila_configuration.show_tracebacks
                log.error(
                    "A page could not be computed: %s. Start the server with --dev to log the error.",
                    self._path,
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
        if self._executor is not None and self._executor.kc is not None:
            await ensure_async(self._executor.kc.stop_channels())


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
