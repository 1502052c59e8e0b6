"""One module for each subject: measure(setting) returns its section of the report."""
