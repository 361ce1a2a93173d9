"""Text: cleaning, words, sentences, prompts, and the rules of a language."""
