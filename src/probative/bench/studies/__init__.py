"""The studies of `probative bench`: a file for each subject, a class for each study."""
