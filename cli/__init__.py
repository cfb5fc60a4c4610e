"""The `roft` command: one module for each group."""
