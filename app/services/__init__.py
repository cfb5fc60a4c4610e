"""What the site does: playing, standings, importing. One function a use case."""
