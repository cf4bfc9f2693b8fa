"""Where rules come from: shipped, installed, or in files of somebody's own."""
