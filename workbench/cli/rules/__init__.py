"""Commands about rule files: checks, formatting, printed rules, clauses and options."""
