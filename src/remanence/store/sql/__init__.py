"""What every store on a relational database shares: the statements, written once, and what is made of their rows."""
