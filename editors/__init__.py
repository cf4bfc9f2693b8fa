"""What editors are told of the language, made of its grammar."""
