"""Benchmarks. Nothing here is part of the package, and no test depends on how fast anything is."""
