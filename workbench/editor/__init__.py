"""Rule files in editors: what is wrong, what a name means, and the language server"""
