"""Why an action is legal or not, in sentences."""
