"""Tables: seats, and the log of a game under way."""
