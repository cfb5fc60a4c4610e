"""`python -m bench`: rounds and boards in one run; about twenty minutes, mostly to store what is read."""

import signal
import time

from bench.board import measure_boards, print_boards
from bench.rounds import measure_rounds, print_rounds
from bench.sites import opened_databases


def main() -> None:
    """Measure, then print the tables."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that what was started is ended
    started = time.monotonic()
    with opened_databases() as databases:
        print("Rounds", flush=True)
        rounds = list(measure_rounds(databases))
        print("Boards", flush=True)
        boards = list(measure_boards(databases))
    print_rounds(rounds)
    print_boards(boards)
    print(f"\n{time.monotonic() - started:.0f} s in all.")


if __name__ == "__main__":
    main()
