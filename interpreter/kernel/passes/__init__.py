"""Optimisation passes: functions that replace an operation by a faster one with the
same result.
"""
