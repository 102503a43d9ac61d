"""Array functions of the measures and methods, in numpy and scipy, without labels, widgets or charts."""
