"""The attack lab: be the intruder. Press published numbers and see what is still possible close in."""
