"""How far *supported* can be trusted on the user's own documents: a guarantee from labels, a test without.

`labels.calibrate` chooses the lowest certainty of *supported* from a random draw of labelled questions, and
`kept` keeps it with the corpus for every later `ask`. `self_test` needs no labels and guarantees nothing.
`probative.batch.draw` makes the draw.
"""
