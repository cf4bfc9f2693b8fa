"""Facts that are known where a statement runs, and the effects that they make safe."""
