"""Numbers in, numbers out: points, intervals, runs. Knows nothing of games or the web."""
