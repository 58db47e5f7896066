"""Pictures of experiments: ranks, records, losses, and their parts."""
