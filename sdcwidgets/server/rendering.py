"""A notebook becomes a page: Voila's renderer, without what it would do anew for every visitor."""

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

#: Seconds without a word after which a proxy might give up.
SILENCE = 20

#: What a page needs of an output; its description as text names places in the memory of its kernel.
_DRAWN = "application/vnd.jupyter.widget-view+json"


#: What stands in the place of something that failed.
BROKEN = (
    '<p role="alert">This part of the page could not be computed. Please load the page again; '
    "if it stays so, tell whoever runs this server.</p>"
)


#: What stands there where memory was the cause.
SHORT = (
    '<p role="alert">This part of the page needed more memory than one session may hold on this server.</p>'
)


#: What writes pages, of each server: one that has read and compiled its templates.
_EXPORTERS: WeakKeyDictionary[object, VoilaExporter] = WeakKeyDictionary()


def _exporter(page: NotebookRenderer) -> VoilaExporter:
    """Return what writes the pages of a server; making it takes as long as writing one."""
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
            # What changes notebooks before they are shown: there is nothing to change in ours.
            default_preprocessors=[],
        )
        exporter.exclude_input = exporter.exclude_output_prompt = exporter.exclude_input_prompt = True
    return _EXPORTERS[configuration]


class PageRenderer(NotebookRenderer):
    """Renders a notebook of this project for one visitor."""

    executor: Any = None

    async def load_notebook(self, path: str) -> object:
        """Return the notebook, which is read again only when it has changed."""
        file = Path(self.contents_manager.root_dir) / path
        return await self.fix_notebook(deepcopy(_read(file, file.stat().st_mtime_ns)))

    async def initialize(self, **settings: object) -> None:
        """Get ready to render."""
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
        """Yield the page as its notebook runs in a kernel; where that ends meanwhile, why it did."""
        try:
            async for piece, _ in self.generate_content_generator(kernel_id, kernels.get_kernel(kernel_id)):
                yield piece
        except RuntimeError:  # the kernel does not answer
            why = kernels.end_reasons.get(kernel_id)
            if why is None:
                log.error("A page got no session: %s.", self.notebook_path)
            notice = f'<p role="alert">{why} Please load the page again.</p>' if why else BROKEN
            yield f"</div></main><style>#loading, sdc-first {{ display: none }}</style>{notice}</body></html>"

    async def _jinja_kernel_start(self, nb: NotebookNode, kernel_id: str, kernel_future: Any) -> str:
        """Connect to the kernel, which has started."""
        self.executor = VoilaExecutor(
            nb,
            km=kernel_future,
            config=self.traitlet_config,
            show_tracebacks=self.voila_configuration.show_tracebacks,
            # What a cell prints is one block, however many messages it came in.
            coalesce_streams=True,
        )
        self.executor.kc = kernel_future.client()
        await listening(self.executor.kc, self.executor.startup_timeout)
        return kernel_id

    async def _jinja_cell_generator(self, nb: NotebookNode, kernel_id: str) -> AsyncIterator[object]:
        """Yield the cells as they are run, up to one that fails; Voila's own goes on when its visitor has gone."""
        for index, cell in enumerate(nb.cells):
            cell.outputs = []
            try:
                await self.executor.execute_cell(cell, None, index, store_history=False)
            except (CellExecutionError, TimeoutError) as error:
                tracebacks = self.voila_configuration.show_tracebacks
                log.error(
                    "A page could not be computed: %s; --dev shows why.",
                    self.notebook_path,
                    exc_info=tracebacks,
                )
                if not tracebacks:
                    short = getattr(error, "ename", "").endswith(("MemoryError", "OutOfMemoryException"))
                    html = SHORT if short else BROKEN
                    cell.outputs = [nbformat.v4.new_output("display_data", data={"text/html": html})]
                yield cell
                return
            except DeadKernelError:  # which nbclient says of whoever is cancelled, too
                if (task := asyncio.current_task()) is not None and task.cancelling():
                    raise asyncio.CancelledError from None
                raise
            for output in cell.outputs:
                data = output.get("data", {})
                if _DRAWN in data:
                    data.pop("text/plain", None)
                if "text/html" in data:
                    # The corner of a pandas table is the head of nothing.
                    data["text/html"] = data["text/html"].replace("<th></th>", "<td></td>")
            yield cell

    async def close(self) -> None:
        """Let go of the kernel, wherever rendering has stopped."""
        if self.executor is not None and self.executor.kc is not None:
            await ensure_async(self.executor.kc.stop_channels())


@lru_cache(maxsize=64)
def _read(file: Path, changed: int) -> object:
    """Return a notebook as it was last changed."""
    return nbformat.read(file, as_version=4)


async def with_signs_of_life(
    pieces: AsyncIterator[str], silence: float = SILENCE
) -> AsyncGenerator[str, None]:
    """Yield the pieces of a page, those that come at once as one, and an empty comment while none comes."""
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
            if text := "".join(piece for piece in together if piece is not None):
                yield text
            if together[-1] is None:
                await reading
                return
    finally:
        reading.cancel()
        await asyncio.wait([reading])
