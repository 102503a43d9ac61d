"""Records of people as arrays of codes: keys, how often they occur, and what protects them.

A file of n records with q key variables is an array of whole numbers, shape (n, q): the category of each record in
each variable, from 0 on, and -1 where the value is missing.
"""
