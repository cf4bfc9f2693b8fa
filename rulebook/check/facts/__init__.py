"""Facts known at each statement, and checks of effects that depend on them."""
