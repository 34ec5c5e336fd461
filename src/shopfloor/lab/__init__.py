"""Simulation and ladders."""
