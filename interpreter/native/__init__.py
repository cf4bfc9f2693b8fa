"""Native engine: prints the kernel as C, compiles and loads it, and plays games."""
