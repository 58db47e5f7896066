"""The papers' experiments on files of one's own, beside what the papers print."""
