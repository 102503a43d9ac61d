"""What is said of the wards."""


def share_in_words(share):
    """Return what a ward has of the people."""
    return f"A ward has {share:.0%} of the people on average."
