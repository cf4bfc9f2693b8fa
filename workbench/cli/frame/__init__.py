"""What carries the commands: arguments, how one is run, how it writes and fails."""
