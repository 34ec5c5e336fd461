"""The game's page: what its template needs, the template itself, its style, its script and its drawings."""
