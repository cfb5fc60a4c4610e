"""The database: tables and the statements that read and write them."""
