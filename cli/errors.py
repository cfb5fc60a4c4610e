"""What ends a command."""


class Failure(Exception):  # noqa: N818
    """A command could not do its work; the text is one sentence for the person who typed it."""
