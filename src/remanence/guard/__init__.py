"""What must not come in, or go out."""
