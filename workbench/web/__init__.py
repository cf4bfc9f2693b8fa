"""A table in the browser: kept line by line, served to those who have its links"""
