"""What is said of the wards."""


def share_in_words(shares):
    """Return what a ward has of the people."""
    return f"A ward has {shares[0]:.0%} of the people on average."
