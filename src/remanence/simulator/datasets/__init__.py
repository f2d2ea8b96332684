"""Readers of public data sets, one a file: JSON into frozen values, with every problem of a file named at once."""
