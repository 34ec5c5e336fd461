"""The database's history: one revision a change, applied when Shopfloor starts."""
