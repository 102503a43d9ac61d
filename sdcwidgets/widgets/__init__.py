"""What one can see and touch; no arithmetic of disclosure control is done here."""
