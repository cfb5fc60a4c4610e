"""The picture of a day's result: what was earned, and nothing about the text."""

from datetime import date
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from app.web.formats import day_words
from game.language import say
from scoring.points import TOP

SIZE = (1200, 630)
PAPER, INK, QUIET, ACCENT = "#fbf8f2", "#22252a", "#5b6068", "#1f5a70"
_RADIUS = 60


def card(day: date, points: int) -> bytes:
    """Return a PNG with the date, the points in words, and as many full circles of five."""
    image = Image.new("RGB", SIZE, PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, SIZE[0], 16), fill=ACCENT)
    draw.text((90, 80), "RoFT", font=ImageFont.load_default(88), fill=INK)
    draw.text((90, 195), day_words(day), font=ImageFont.load_default(44), fill=QUIET)
    for number in range(TOP):
        left = 90 + number * 160
        circle = (left, 300, left + 2 * _RADIUS, 300 + 2 * _RADIUS)
        draw.ellipse(circle, fill=ACCENT if number < points else PAPER, outline=ACCENT, width=6)
    draw.text(
        (90, 480),
        say("%(points)s of %(top)s points", points=points, top=TOP),
        font=ImageFont.load_default(60),
        fill=INK,
    )
    draw.text((90, 560), say("Human, or machine?"), font=ImageFont.load_default(32), fill=QUIET)
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()
