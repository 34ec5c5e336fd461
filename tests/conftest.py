"""What all tests share."""

from hypothesis import settings

# A busy machine is no fault of the code: no deadlines.
settings.register_profile("shopfloor", deadline=None)
settings.load_profile("shopfloor")
