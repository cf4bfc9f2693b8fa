"""Loading of rule files into rulebooks, and information about loaded rulebooks."""
