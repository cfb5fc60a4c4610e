"""The mails we write, and sending them."""

import logging

from app.errors import MailError
from app.mail import Mail, Postbox
from game.language import say

log = logging.getLogger("roft")


def send_quietly(postbox: Postbox, mail: Mail) -> None:
    """Send a mail; one that the server does not take is noted for the operator, and asked for again."""
    try:
        postbox.send(mail)
    except MailError:
        log.exception("A mail was not sent")


def sign_in_mail(to: str, address: str) -> Mail:
    """Return the mail with a link that signs in."""
    return Mail(
        to,
        say("Sign in to RoFT"),
        say(
            "Hello,\n\n"
            "somebody, surely you, asked for a link to sign in to RoFT:\n\n"
            "%(address)s\n\n"
            "It works once, within a day. If you did not ask, nothing needs to be done: without the\n"
            "link nobody gets in.\n",
            address=address,
        ),
    )


def confirm_mail(to: str, handle: str, address: str) -> Mail:
    """Return the mail that asks whether an address is right."""
    return Mail(
        to,
        say("Is this your address?"),
        say(
            "Hello,\n\n"
            "%(handle)s gave this address to RoFT, a game about human and machine writing. If that was\n"
            "you, follow this link, and you can sign in by mail should you forget your password:\n\n"
            "%(address)s\n\n"
            "It works once, within a day. If it was not you, nothing needs to be done: the address\n"
            "counts for nothing until then.\n",
            handle=handle,
            address=address,
        ),
    )
