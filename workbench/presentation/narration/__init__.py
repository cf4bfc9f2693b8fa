"""What happened and what is on the table, in lines for one reader."""
