"""Games played while everything that can fail fails: the line, the servers, the workers, the database."""
