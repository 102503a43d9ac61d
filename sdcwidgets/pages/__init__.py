"""The pages: a folder each, of the name of its notebook. No page imports another.

`state` is what a person may choose, and `result` what follows from it where that is a room of its own; `words` and
`charts` say and draw it; `page` lays out widgets and binds them to one study, in `app()`.
"""
