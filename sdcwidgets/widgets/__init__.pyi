from .chart import Chart as Chart
from .controls import Control as Control
from .dashboard import Dashboard as Dashboard
from .grid import Grid as Grid
from .page import Page as Page
from .source import SourceBar as SourceBar
