"""Charts: functions that return plotly figures, and the data behind them.

`risk_utility_map`, `terms`, `residual_risk` and `third_term` return figures in one call. The other modules are the
parts of these charts and of the charts of the pages: `prepare` computes the data, and `draw` makes the figure.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
