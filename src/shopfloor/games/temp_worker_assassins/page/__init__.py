"""The page of Temp Worker Assassins."""
