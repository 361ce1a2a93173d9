"""The papers' algorithms to the letter, with nothing saved: references for the tests."""
