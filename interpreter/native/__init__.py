"""Native engine: prints the kernel as C, compiles and loads the C, and plays games."""
