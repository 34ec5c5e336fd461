"""What play.py, check.py and the people who work on Shopfloor need; no part of the package."""
