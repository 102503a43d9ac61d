"""What a tab holds is made when it is opened; tests of what is in one find all of them opened."""

import pytest

from sdcwidgets.widgets.tabs import Tabs

#: Pages whose tests open their tabs themselves.
BY_THEMSELVES = ("protect",)


@pytest.fixture(autouse=True)
def every_tab_opened(request, monkeypatch):
    if request.path.parent.name in BY_THEMSELVES:
        return
    make = Tabs.__init__

    def opened(self, parts):
        make(self, parts)
        for index in reversed(range(self.count)):
            self.turn_to(index)

    monkeypatch.setattr(Tabs, "__init__", opened)
