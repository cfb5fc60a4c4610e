"""What a browser calls itself, in words its owner recognises."""

from game.language import say, unsaid

UNKNOWN = unsaid("Something else")
SCRIPT = unsaid("A script")
_SOME_BROWSER = unsaid("A browser")

_BROWSERS = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
)
"""The first that is found counts: later ones call themselves by the names of earlier ones."""


def device_of(user_agent: str) -> str:
    """Return browser and system, such as “Firefox on Linux”; nothing else is kept."""
    browser = next((name for token, name in _BROWSERS if token in user_agent), None)
    system = next((name for token, name in _SYSTEMS if token in user_agent), None)
    return f"{browser or _SOME_BROWSER} on {system}" if system else browser or UNKNOWN


def device_words(device: str) -> str:
    """Return what was kept of a browser in the language of whoever reads it."""
    browser, _, system = device.partition(" on ")
    return say("%(browser)s on %(system)s", browser=say(browser), system=system) if system else say(browser)
