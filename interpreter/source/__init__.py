"""Python as text: pieces that know how tightly they bind, and what they make up."""
