"""Whole stories: a real server process, a real browser."""
