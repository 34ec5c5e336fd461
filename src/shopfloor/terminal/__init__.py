"""Playing and reading games in a terminal. It shows views and words, and knows no game."""
