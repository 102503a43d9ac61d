"""A notebook becomes a page: Voila's renderer, without what it would do anew for every visitor."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Any

import nbformat
from jinja2.bccache import Bucket, BytecodeCache
from jupyter_core.utils import ensure_async
from voila.notebook_renderer import NotebookRenderer

from sdcwidgets.server.logs import log

__all__ = ["PageRenderer", "with_signs_of_life"]

#: Seconds without a word after which a proxy might give up.
SILENCE = 20

#: What a page needs of an output; its description as text names places in the memory of its kernel.
_DRAWN = "application/vnd.jupyter.widget-view+json"


#: What stands in the place of something that failed.
BROKEN = (
    '<p role="alert">This part of the page could not be computed. Please load the page again; '
    "if it stays so, tell whoever runs this server.</p>"
)


class Compiled(BytecodeCache):
    """Templates that were compiled once, in memory; compiling them takes most of the time of a page."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket, if its template is known as it is now."""
        if (kept := self._kept.get(bucket.key)) is not None:
            bucket.bytecode_from_string(kept)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        self._kept[bucket.key] = bucket.bytecode_to_string()


_COMPILED = Compiled()


class PageRenderer(NotebookRenderer):
    """Renders a notebook of this project for one visitor."""

    executor: Any = None

    async def load_notebook(self, path: str) -> Any:
        """Return the notebook, which is read again only when it has changed."""
        file = Path(self.contents_manager.root_dir) / path
        return await self.fix_notebook(deepcopy(_read(file, file.stat().st_mtime_ns)))

    async def initialize(self, **settings: Any) -> None:
        """Get ready to render."""
        await super().initialize(**settings)
        self.exporter.environment.bytecode_cache = _COMPILED

    async def pieces(self, kernel: Any, kernel_id: str) -> AsyncIterator[str]:
        """Yield the page as its notebook runs in a kernel."""
        async for piece, _ in self.generate_content_generator(kernel_id, kernel):
            yield piece

    async def _jinja_cell_generator(self, nb: Any, kernel_id: str) -> AsyncIterator[Any]:
        async for cell in super()._jinja_cell_generator(nb, kernel_id):
            for output in cell.get("outputs", ()):
                if _DRAWN in output.get("data", {}):
                    output["data"].pop("text/plain", None)
            if self.executor.should_strip_error() and any(map(_is_error, cell.get("outputs", ()))):
                log.error("A page could not be computed: %s; --dev shows why.", self.notebook_path)
                cell["outputs"] = [nbformat.v4.new_output("display_data", data={"text/html": BROKEN})]
            yield cell

    async def close(self) -> None:
        """Let go of the kernel, wherever rendering has stopped."""
        if self.executor is not None and self.executor.kc is not None:
            await ensure_async(self.executor.kc.stop_channels())


def _is_error(output: Any) -> bool:
    return bool(output["output_type"] == "error")


@lru_cache(maxsize=64)
def _read(file: Path, changed: int) -> Any:
    """Return a notebook as it was last changed."""
    return nbformat.read(file, as_version=4)


async def with_signs_of_life(pieces: AsyncIterator[str], silence: float = SILENCE) -> AsyncIterator[str]:
    """Yield the pieces of a page, and an empty comment now and then while none comes."""
    while True:
        coming = asyncio.ensure_future(anext(pieces, None))
        try:
            while not (await asyncio.wait({coming}, timeout=silence))[0]:
                yield "<!-- -->\n"
        finally:
            coming.cancel()
        if (piece := coming.result()) is None:
            return
        yield piece
