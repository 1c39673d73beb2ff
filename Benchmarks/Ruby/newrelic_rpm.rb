# Stands in for a monitoring service that a benchmark does without.
