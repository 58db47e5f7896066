"""Information measures of counts."""
