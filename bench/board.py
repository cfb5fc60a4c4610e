"""Time of the leaderboard with 2,000 and with 200,000 rounds stored."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

import psycopg
from sqlalchemy import create_engine, text

from app.settings import Settings
from bench.sites import Cost, Databases, Site, opened_sites
from bench.stored import Plan, claim

BLOCKS = 10
REQUESTS_A_BLOCK = 20
TARGET = 1.5
PLACES = {"API": "/api/v1/leaderboard", "page": "/leaderboard"}

GROWTHS = {
    "players grow": (Plan(200, 10, 100), Plan(20_000, 10, 100)),
    "200 players": (Plan(200, 10, 1_200), Plan(200, 1_000, 1_200)),
}
"""What is stored: the number of players grows with the rounds, or stays."""
