"""What the site refuses beside the game; each text is one sentence for the person who asked.

SiteError
├── NotAllowedError         the page is for people with another role
├── BadKeyError             a key or link that signs nobody in
├── BadNameError            a name that cannot be a handle, or is taken
├── BadPasswordError        a password that is too weak to be set
├── WrongPasswordError      no account has that name and password
├── BadEmailError           an address that no mail can reach, or that is another's
├── TooManyTriesError       tried too often lately
├── HasAccountError         the account is there already
├── NoAccountError          only an account can do that
├── ProviderNotFoundError
├── ProviderDownError       the provider does not answer
├── BadProviderError        the provider answers what cannot be trusted
├── NotAllowedThereError    the person, or the provider, said no
├── StrangeReturnError      an answer of a provider that this browser is not waiting for
├── IdentityTakenError      somebody at a provider signs in another account
├── LastWayError            nothing else would lead back into the account
├── SessionNotFoundError
├── PlayerNotFoundError
├── PassageNotFoundError
├── LessonNotFoundError
├── NoDailyError            a day that has no text, or not yet
├── NoSuchStudyError
├── BadPlanError            a plan that cannot be carried out, or its title
├── BadDeckError            a deck that cannot be made
├── BuildNotFoundError
└── BuildUnfinishedError    the build has kept nothing yet
MailError                   no mail can be sent, which whoever runs the site is told
ProvidersError              the file of providers is no such file, which they are told too
"""


class SiteError(Exception):
    """A refusal by the site; its text is for the person who asked."""


class NotAllowedError(SiteError):
    """The page is for people with another role."""


class BadKeyError(SiteError):
    """The key signs nobody in: never made, used before, or too old."""


class BadNameError(SiteError):
    """The name cannot be a handle, or somebody has it."""


class BadPasswordError(SiteError):
    """The password is too weak to be set."""


class WrongPasswordError(SiteError):
    """No account has that name and password."""


class BadEmailError(SiteError):
    """No mail can reach the address, or it belongs to another account."""


class TooManyTriesError(SiteError):
    """It was tried too often lately."""


class HasAccountError(SiteError):
    """The player has an account already."""


class NoAccountError(SiteError):
    """Only somebody with an account can do that."""


class ProviderNotFoundError(SiteError):
    """There is no such provider."""


class ProviderDownError(SiteError):
    """The provider cannot be reached, is slow, or says itself that it does not work."""


class BadProviderError(SiteError):
    """What the provider answered is not what was asked for, or not signed as it must be."""


class NotAllowedThereError(SiteError):
    """The person, or the provider, did not want this site to learn who they are."""


class StrangeReturnError(SiteError):
    """The answer of a provider is not the one that this browser is waiting for."""


class IdentityTakenError(SiteError):
    """Somebody at a provider signs in another account, or another of theirs signs in this one."""


class LastWayError(SiteError):
    """Nothing else would lead back into the account."""


class SessionNotFoundError(SiteError):
    """There is no such session of this player's."""


class PlayerNotFoundError(SiteError):
    """Nobody has that name, or shows a profile under it."""


class PassageNotFoundError(SiteError):
    """There is no such passage."""


class LessonNotFoundError(SiteError):
    """There is no such round to practise on."""


class NoDailyError(SiteError):
    """The day has no text, or has not come yet."""


class NoSuchStudyError(SiteError):
    """No study has that name."""


class BadPlanError(SiteError):
    """The plan, or what goes with it, cannot be accepted."""


class BadDeckError(SiteError):
    """The deck cannot be made."""


class BuildNotFoundError(SiteError):
    """There is no such build."""


class BuildUnfinishedError(SiteError):
    """The build is not done."""


class MailError(Exception):
    """No mail can be sent, or not by these settings; its text is for whoever runs the site."""


class ProvidersError(Exception):
    """The providers are not written down as they have to be; its text is for whoever runs the site."""
