"""What a page shows: choices, the board, a moment of a table, as data and as HTML"""
