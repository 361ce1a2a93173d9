"""The style sheet of the page of a verification.

Blue, vermilion and grey stay apart for all common kinds of colour blindness (Okabe and Ito). Lines differ
too: solid, double and dotted; and every verdict has a sign and a word. Colours of text have a contrast of at
least 4.5 to 1 on their ground, on the light page and on the dark one.
"""

from __future__ import annotations

STYLE = """
:root{color-scheme:light dark;--page:#f6f6f3;--paper:#fff;--ink:#1d1f21;--faint:#5b6066;--line:#d9dadb;
--supported:#005f96;--contradicted:#b34700;--insufficient:#5f6368;
--supported-ground:#e3f0f8;--contradicted-ground:#fcebdf;--insufficient-ground:#eeeeef}
@media(prefers-color-scheme:dark){:root{--page:#16181a;--paper:#1f2225;--ink:#e8e6e3;--faint:#a6abb1;
--line:#3a3f44;--supported:#6cb8e6;--contradicted:#ff9a52;--insufficient:#b0b5ba;
--supported-ground:#14303f;--contradicted-ground:#42240f;--insufficient-ground:#2d3135}}
*{box-sizing:border-box}
body{font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;margin:0 auto;max-width:84rem;
padding:1.5rem;background:var(--page);color:var(--ink)}
h1{font-size:1.35rem;line-height:1.3;margin:0;overflow-wrap:anywhere}
h2{font-size:.8rem;letter-spacing:.06em;text-transform:uppercase;color:var(--faint);margin:0 0 .75rem}
h3{font-size:1rem;font-weight:400;margin:0 0 .5rem;line-height:1.45}
header{margin-bottom:1.5rem}
.counts{list-style:none;display:flex;flex-wrap:wrap;gap:.4rem .75rem;padding:0;margin:.6rem 0}
.bar{display:flex;gap:2px;height:.5rem;max-width:30rem}
.bar i{min-width:.5rem;border-radius:2px}
.bar .supported{background:var(--supported)}
.bar .contradicted{background:repeating-linear-gradient(45deg,var(--contradicted) 0 4px,var(--paper) 4px 6px)}
.bar .insufficient{background:var(--insufficient);opacity:.55}
main{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:1.5rem;align-items:start}
main>section{background:var(--paper);border:1px solid var(--line);border-radius:8px;padding:1.25rem}
.text{position:sticky;top:1rem;max-height:calc(100vh - 2rem);overflow:auto}
@media(max-width:56rem){main{display:block}main>section+section{margin-top:1rem}
.text{position:static;max-height:none}}
.words{white-space:pre-wrap;overflow-wrap:anywhere}
.words a{color:inherit;text-decoration:none;border-bottom:2px solid;padding:.05em 0;border-radius:2px}
.words a sup{font-size:.72em;font-weight:700;line-height:0;margin-left:.15em}
.words a.supported{border-color:var(--supported);background:var(--supported-ground)}
.words a.contradicted{border-bottom:4px double var(--contradicted);background:var(--contradicted-ground)}
.words a.insufficient{border-bottom-style:dotted;border-color:var(--insufficient);
background:var(--insufficient-ground)}
a:hover{filter:brightness(.95)}
a:focus-visible,summary:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
.words a:target{outline:2px solid var(--ink);outline-offset:2px}
article{border-left:5px solid;padding:.1rem 0 .1rem 1rem;margin:0 0 1.5rem;scroll-margin-top:1rem}
article:last-child{margin-bottom:0}
article.supported{border-color:var(--supported)}
article.contradicted{border-left:7px double var(--contradicted)}
article.insufficient{border-left-style:dotted;border-color:var(--insufficient)}
article:target{outline:2px solid var(--ink);outline-offset:6px;border-radius:4px}
article h3 a{color:var(--faint);font-variant-numeric:tabular-nums}
.claim{display:block;font-weight:600;overflow-wrap:anywhere}
.verdict{font-weight:700;font-size:.85rem;white-space:nowrap;border-radius:1em;padding:.1em .65em}
.verdict.supported{color:var(--supported);background:var(--supported-ground)}
.verdict.contradicted{color:var(--contradicted);background:var(--contradicted-ground)}
.verdict.insufficient{color:var(--insufficient);background:var(--insufficient-ground)}
blockquote{margin:.5rem 0;padding:.1rem 0 .1rem .75rem;border-left:2px solid var(--line);
overflow-wrap:anywhere}
blockquote.supports{border-color:var(--supported)}
blockquote.contradicts{border-left:4px double var(--contradicted)}
.place,.note,footer,summary,details li{font-size:.85rem;color:var(--faint)}
.place{overflow-wrap:anywhere}.note{margin:.35rem 0}
details{margin:.5rem 0}summary{cursor:pointer}
footer{margin-top:1.5rem;border-top:1px solid var(--line);padding-top:.75rem}
@media print{:root{--page:#fff;--paper:#fff;--ink:#000;--faint:#444}body{padding:0;font-size:10.5pt}
.text{position:static;max-height:none;overflow:visible}main>section{border:0;padding:0}
article{break-inside:avoid}a{color:inherit}}
"""
