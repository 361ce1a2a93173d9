"""Whether an English sentence claims something that sources could bear out or deny."""

from __future__ import annotations

import re

from probative.text.english.claim_forms import claim_form

_OPINION = re.compile(
    r"(?:and |but |so |overall,? |personally,? )*(?:i|we|one) (?:also |still |firmly |strongly )?"
    r"(?:think|believe|feel|find|hope|wish|suggest|recommend|guess|suppose|would|love|like|prefer|doubt|wonder|trust)\b"
    r"|in (?:my|our) (?:view|opinion|experience)\b|to (?:my|our) (?:mind|knowledge)\b"
    r"|(?:hopefully|fortunately|unfortunately|sadly|luckily),"
    r"|it (?:seems|appears|is (?:clear|obvious|likely|possible|probable|worth|important to note))\b"
    r"|(?:perhaps|maybe)\b",
    re.IGNORECASE,
)
_ABOUT_ITSELF = re.compile(
    r"(?:in )?(?:this|the (?:following|present)) "
    r"(?:note|report|briefing|document|text|section|chapter|page|article|summary|paper|answer|overview|table|list|sheet|memo|guide)\b"
    r"|(?:here|below|above)(?: is| are|,| you)\b|here's\b"
    r"|see (?:also )?(?:section|chapter|page|the|below|above|figure|table)\b"
    r"|as an ai\b|i (?:hope|am|'m|can|cannot|will|was|have)\b|let me\b|sure[,!]|certainly[,!]|of course[,!]"
    r"|(?:in (?:summary|conclusion)|to (?:summari[sz]e|sum up|conclude))[,:]? (?:here|below|we|i)\b",
    re.IGNORECASE,
)
_SAYS_NOTHING = re.compile(
    r"(?:nobody|no one|no-one|who) (?:can (?:say|tell|know)|knows|could (?:say|tell))\b"
    r"|(?:time|only time) will (?:tell|show)\b"
    r"|(?:thank you|thanks|welcome|hello|hi|dear|yours|kind regards)\b",
    re.IGNORECASE,
)
_FORMS = {"question": "a question", "instruction": "an instruction", "fragment": "not a sentence"}
_TOO_SHORT = 2


def unchecked_reason(text: str) -> str | None:
    """Return why a sentence claims nothing that could be checked; None if it does.

    >>> [unchecked_reason(text) for text in ("Was it old?", "We think it is fine.", "What a day!")]
    ['a question', 'an opinion', 'an exclamation']
    >>> unchecked_reason("This note tells how the mill burnt."), unchecked_reason("The mill burnt in 1890.")
    ('about the text itself', None)
    """
    words = text.strip().lstrip("\"“‘'([—–-").strip()
    if len(re.findall(r"\w+", words)) < _TOO_SHORT:
        return "not a sentence"
    if re.match(r"(?:what an?|how [a-z]+|such an?) [^.?]*!\W*$", words, re.IGNORECASE):
        return "an exclamation"
    for form, reason in (
        (_ABOUT_ITSELF, "about the text itself"),
        (_OPINION, "an opinion"),
        (_SAYS_NOTHING, "nothing that a source could say"),
    ):
        if form.match(words):
            return reason
    return _FORMS.get(claim_form(words))
