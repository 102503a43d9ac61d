"""Pictures are functions of results: `prepare` makes the numbers of a chart, `draw` its figure."""
