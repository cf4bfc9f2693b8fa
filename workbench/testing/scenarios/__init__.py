"""From a game to a scenario: a position in lines, as few as show the same."""
