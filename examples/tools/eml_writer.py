"""Writing a source as an e-mail message."""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP
from html import escape
from pathlib import Path

from corpus_source import Source


def write_eml(source: Source, path: Path) -> None:
    """Write the source as a message; with `html: yes` it has a plain and an HTML form."""
    metadata = source.metadata
    message = EmailMessage(policy=SMTP.clone(linesep="\n", max_line_length=998))
    for name in ("From", "To", "Cc", "Subject", "Date"):
        if name.lower() in metadata:
            message[name] = metadata[name.lower()]
    message["Message-ID"] = f"<{path.stem}@wennetlift.example>"
    if "language" in metadata:
        message["Content-Language"] = metadata["language"]
    message.set_content(source.body, cte=metadata.get("encoding", "8bit"))
    if "html" in metadata:
        paragraphs = source.body.strip().split("\n\n")
        body = "\n".join(f"<p>{escape(part).replace(chr(10), '<br>')}</p>" for part in paragraphs)
        message.add_alternative(f"<html><body>\n{body}\n</body></html>\n", subtype="html", cte="8bit")
        message.set_boundary("=-wennet-bay-boundary")
    path.write_bytes(message.as_bytes())
