"""The papers' algorithms written out step by step, without any saving of calls: references for the tests.

Each file says where it corrects its paper.
"""
