"""Events and the state of the table as lines of text for one reader."""
