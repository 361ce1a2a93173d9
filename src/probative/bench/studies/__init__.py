"""The studies of `probative bench`, a file each: mcse_cot.py has the class McseCot, the study "mcse-cot"."""
