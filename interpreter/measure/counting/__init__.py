"""Games that are counted: how often each part of the rules was reached, and held."""
