"""The rules: passages, modes, rounds, standings. Knows no framework, no clock, no dice."""
