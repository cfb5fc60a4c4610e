"""The mails we write."""

from app.mail import Mail


def sign_in_mail(to: str, address: str) -> Mail:
    """Return the mail with a link that signs in."""
    return Mail(
        to,
        "Sign in to RoFT",
        "Hello,\n\n"
        "somebody, surely you, asked for a link to sign in to RoFT:\n\n"
        f"{address}\n\n"
        "It works once, within a day. If you did not ask, nothing needs to be done: without the\n"
        "link nobody gets in.\n",
    )


def confirm_mail(to: str, handle: str, address: str) -> Mail:
    """Return the mail that asks whether an address is right."""
    return Mail(
        to,
        "Is this your address?",
        "Hello,\n\n"
        f"{handle} gave this address to RoFT, a game about human and machine writing. If that was\n"
        "you, follow this link, and you can sign in by mail should you forget your password:\n\n"
        f"{address}\n\n"
        "It works once, within a day. If it was not you, nothing needs to be done: the address\n"
        "counts for nothing until then.\n",
    )
