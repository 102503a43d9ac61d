"""Charts: functions that return plotly figures, and the data behind them.

`risk_utility_map`, `terms`, `residual_risk` and `third_term` each return a figure. The other modules contain
the parts of these charts and of the charts in the interface: `prepare` computes the data, and `draw` creates
the figure. `figures()` of a page, such as `dashboards.rounding.app(table).figures()`, returns all its charts.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
