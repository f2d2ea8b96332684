"""The dream: seven steps, a file each; `night` is what they share, `plan` joins them, `run` applies them unattended."""
