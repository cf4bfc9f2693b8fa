"""Language server for rule files in editors: diagnostics, names and completion."""
