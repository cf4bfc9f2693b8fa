"""What is reckoned from it: prices, waiting, worth, and what never comes about."""
