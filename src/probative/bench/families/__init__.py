"""What several studies share: their items, how one is run, their metrics, tables and findings."""
