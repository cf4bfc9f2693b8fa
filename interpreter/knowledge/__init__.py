"""Knowledge of a seat: views, samples, and the information that an action reveals."""
