"""The database's history, applied when Shopfloor starts: one file `versions/rNNNN_what.py` a change of `schema.py`."""
