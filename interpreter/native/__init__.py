"""Native engine: translates a plan to one C file, compiles and loads it, and plays
games."""
