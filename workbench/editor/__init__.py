"""Language server for editing rule files."""
