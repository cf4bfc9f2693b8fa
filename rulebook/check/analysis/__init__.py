"""What is seen of the model as a whole: sizes, rest, secrets, vain words."""
