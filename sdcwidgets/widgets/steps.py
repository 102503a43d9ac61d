"""Controls to step or play through a sequence, and to choose the sequence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import traitlets

from sdcwidgets._util.errors import InputError
from sdcwidgets.widgets.base import STATIC, Labelled


class Steps(Labelled):
    """Buttons for the first, previous, next and last place, a number box, and Play.

    The browser plays: it requests the next place when its timer has elapsed and the last one has been shown, so
    the kernel is never overloaded.

    Parameters
    ----------
    label : str
        Accessible name of the group.
    plays : bool, optional
        Whether there is a button that plays; if the primary button plays, there is only one that pauses.

    Examples
    --------
    >>> steps = Steps("Y variables")
    >>> steps.on_go(lambda place: print("go to", place))
    >>> steps.show(position=0, length=4, noun="possibility", announcement="", options={"all": "All 20"}, chosen="all")
    >>> steps.go(2)
    go to 2
    """

    _esm = STATIC / "steps.js"
    _css = STATIC / "steps.css"

    position = traitlets.Int(0).tag(sync=True)
    length = traitlets.Int(0).tag(sync=True)
    noun = traitlets.Unicode("step").tag(sync=True)
    announcement = traitlets.Unicode("").tag(sync=True)
    options: traitlets.List[list[str]] = traitlets.List().tag(sync=True)
    chosen = traitlets.Unicode("").tag(sync=True)
    problem = traitlets.Unicode("").tag(sync=True)
    turn = traitlets.Int(0).tag(sync=True)
    plays = traitlets.Bool(True).tag(sync=True)

    def __init__(self, label: str, *, plays: bool = True) -> None:
        super().__init__(label)
        self.plays = plays
        self._went: list[Callable[[int], None]] = []
        self._chose: list[Callable[[str], None]] = []
        self.hear("go", lambda message, _: self._answer(self.go, message.get("to"), int))
        self.hear("choose", lambda message, _: self._answer(self.choose, message.get("option"), str))

    def on_go(self, handler: Callable[[int], None]) -> None:
        """Call `handler(place)` when the user or the timer goes to a place of the sequence."""
        self._went.append(handler)

    def on_choose(self, handler: Callable[[str], None]) -> None:
        """Call `handler(option)` when the user chooses another sequence."""
        self._chose.append(handler)

    def show(
        self,
        position: int,
        length: int,
        noun: str,
        announcement: str,
        options: Mapping[str, str],
        chosen: str,
    ) -> None:
        """Show a place of a sequence.

        Parameters
        ----------
        position : int
            The place, from 0.
        length : int
            The number of places.
        noun : str
            Name of a place, such as "possibility".
        announcement : str
            Text for screen readers, which is not announced while playing.
        options : mapping of str to str
            Available sequences: names and labels; `chosen` is the current one.
        """
        with self.hold_sync():
            self.position = position
            self.length = length
            self.noun = noun
            self.announcement = announcement
            self.options = [[name, words] for name, words in options.items()]
            self.chosen, self.problem = chosen, ""
            self.turn += 1

    def play(self) -> None:
        """Make the browser play the sequence, from the current place or from its beginning."""
        self.send({"type": "play"})

    def go(self, position: int) -> None:
        """Go to a place.

        Raises
        ------
        InputError
            If the place does not exist.
        """
        if not 0 <= position < self.length:
            raise InputError(
                f"There is no {self.noun} with the number {position + 1}; the last number is {self.length:,}."
            )
        for handler in self._went:
            handler(position)

    def choose(self, option: str) -> None:
        """Choose another sequence."""
        if option in (name for name, _ in self.options):
            for handler in self._chose:
                handler(option)

    def _answer(self, action: Callable[[Any], None], value: object, kind: type) -> None:
        if type(value) is not kind:
            return
        try:
            action(value)
            problem = ""
        except InputError as error:
            problem = str(error)
        # Each request is answered, even if nothing has changed, because the timer waits for the answer.
        with self.hold_sync():
            self.problem = problem
            self.turn += 1
