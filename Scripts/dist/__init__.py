"""What make-dist.py is made of."""
