"""Rules as a printed rulebook: in sentences, with their citations."""
