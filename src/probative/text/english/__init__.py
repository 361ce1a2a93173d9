"""Every rule about English: questions, dates, countries, events, negation, comparison, replies."""
