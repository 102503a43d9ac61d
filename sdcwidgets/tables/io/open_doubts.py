"""The open doubts about a file for which a layout is proposed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sdcwidgets.tables.io.questions import Doubt


@dataclass(frozen=True)
class OpenDoubts:
    """The open doubts about a file.

    Attributes
    ----------
    sentences : list of str
        The doubts in their order.
    questions : dict of str to Doubt
        The doubts with values in their questions, by their sentences.
    """

    sentences: list[str] = field(default_factory=list)
    questions: dict[str, Doubt] = field(default_factory=dict)

    def add_first(self, doubts: Sequence[Doubt]) -> None:
        """Add doubts before the others."""
        added = {new.sentence: new for new in doubts}
        self.sentences[:0] = [sentence for sentence in added if sentence not in self.sentences]
        self.questions.update(added)

    def add_last(self, doubts: Sequence[Doubt]) -> None:
        """Add doubts after the others."""
        new = {added.sentence: added for added in doubts if added.sentence not in self.sentences}
        self.sentences.extend(new)
        self.questions.update(new)

    def has(self, question: str) -> bool:
        """Return whether a doubt has the key of a question."""
        return any(doubt.question == question for doubt in self.questions.values())

    def remove(self, question: str) -> None:
        """Remove the doubts with the key of a question."""
        removed = [text for text, known in self.questions.items() if known.question == question]
        self.sentences[:] = [sentence for sentence in self.sentences if sentence not in removed]

    def replace_last(self, sentence: str, question: Doubt | None = None) -> None:
        """Replace the last doubt by another one."""
        self.sentences[-1:] = [sentence]
        if question is not None:
            self.questions[sentence] = question
