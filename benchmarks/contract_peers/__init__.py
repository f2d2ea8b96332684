"""Other memories for agents as contenders of the forgetting contract, each by its published interface alone."""
