"""Analysis of games and rules: simulation, measures, comparison, economy, reports."""
