"""Shopfloor beside the programs that one might take instead: `python -m bench.peers`; see `command`.

What runs in the peers' processes (`worker`, `measuring` and a module for each peer) imports nothing but the standard
library and that peer.
"""
