"""References: the declarations and uses of each name in rule files."""
