"""Native engine: translates a plan to C, compiles and loads it, and plays games."""
