//! Measured comparisons of beget with other engines.
