"""Tells people that it is their turn: by web push, by mail, or by a request to an address of theirs."""
