"""Microdata as arrays of codes: frequencies of keys, disclosure risk, and protection methods.

A file of n records with q key variables is an array of whole numbers with shape (n, q). Each number is the
category of a record in a variable, from 0, or -1 if the value is missing.
"""
