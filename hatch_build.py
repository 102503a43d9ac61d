"""Metadata of the package that depends on repository.toml: project URLs, and a README with absolute links."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Addresses(MetadataHookInterface):
    """Metadata hook that makes absolute links from the addresses of the project."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the project URLs and the description."""
        root = Path(self.root)
        sys.path.insert(0, str(root / "release"))
        try:
            from addresses import absolute_links, project_urls
        finally:
            sys.path.pop(0)
        metadata["urls"] = project_urls(root)
        text = absolute_links((root / "README.md").read_text("utf-8"), root)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
