"""Tests in rule files: running, shrinking, coverage and mutation testing."""
