"""Self-play that trains networks for computer players; see docs/lab/learning.md. Needs numpy (the extra `learning`)."""
