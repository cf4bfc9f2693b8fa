"""Loader of rule files as rulebooks, and information about loaded rulebooks."""
