"""Experiments of ours: verdict sets, veracity, risk and coverage, a leaderboard."""
