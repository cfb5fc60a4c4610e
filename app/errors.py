"""What the site refuses beside the game; each text is one sentence for the person who asked.

SiteError
├── NotAllowedError         the page is for people with another role
├── BadKeyError             a key that signs nobody in
├── BadNameError            a name that cannot be a handle, or is taken
├── BadPlanError            a plan that cannot be carried out, or its title
├── BadDeckError            a deck that cannot be made
├── BuildNotFoundError
└── BuildUnfinishedError    the build has kept nothing yet
"""


class SiteError(Exception):
    """A refusal by the site; its text is for the person who asked."""


class NotAllowedError(SiteError):
    """The page is for people with another role."""


class BadKeyError(SiteError):
    """The key signs nobody in: never made, used before, or too old."""


class BadNameError(SiteError):
    """The name cannot be a handle, or somebody has it."""


class BadPlanError(SiteError):
    """The plan, or what goes with it, cannot be accepted."""


class BadDeckError(SiteError):
    """The deck cannot be made."""


class BuildNotFoundError(SiteError):
    """There is no such build."""


class BuildUnfinishedError(SiteError):
    """The build is not done."""
