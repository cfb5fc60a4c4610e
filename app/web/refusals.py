"""What the web refuses before the rules are asked."""


class RefusedError(Exception):
    """A request that never reaches the game; its text is for the person who sent it."""


class NotSignedInError(RefusedError):
    """The call needs a token."""


class CrossSiteError(RefusedError):
    """Another site made the browser send this."""


class TooLargeError(RefusedError):
    """The body is larger than any form of ours."""


class MalformedFormError(RefusedError):
    """The body is not what the address expects."""
