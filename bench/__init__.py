"""Measures the site beside its floor, and a large board beside a small one: `python -m bench`."""

import warnings

warnings.filterwarnings("ignore", "XDG_RUNTIME_DIR")  # the packaged PostgreSQL needs none
