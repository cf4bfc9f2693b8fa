"""Loading of rule files as rulebooks, and information about loaded rulebooks."""
