"""The site and the JSON API."""
