"""Passages from documents and language models; offline, never in a web process."""
