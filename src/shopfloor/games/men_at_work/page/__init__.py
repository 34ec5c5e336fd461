"""The page of Men at Work's table."""
