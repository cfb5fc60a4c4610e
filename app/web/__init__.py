"""HTTP: pages and API over the same services."""
