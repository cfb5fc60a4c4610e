"""Measures the site beside its floor, and a large board beside a small one: `python -m bench`."""
