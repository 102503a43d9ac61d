"""Write releases: CSV, frames and HTML (`text`), PX, JSON-stat and SDMX-CSV (`exchange`), workbooks."""
