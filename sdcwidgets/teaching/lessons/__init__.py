"""What only lessons use: questions with checked answers, a guessing game, and rows of counts to play with."""

from pathlib import Path

__all__ = ["STATIC"]

#: Where the browser side of these widgets lives.
STATIC = Path(__file__).parent / "static"
