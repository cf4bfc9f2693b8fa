"""The digest of what rules mean, in its present form and in its first."""
