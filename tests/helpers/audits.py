"""What a page must be for every reader, as scripts that a test evaluates in it."""

from __future__ import annotations

# Each text whose contrast with what is behind it is below 4.5 by WCAG's formula.
TEXTS_OF_LOW_CONTRAST = """() => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * (top[3] ?? 1) + under[i] * (1 - (top[3] ?? 1)));
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(getComputedStyle(at).backgroundColor);
    return layers.reverse().map(parse).reduce((under, top) => over(top, under), [255, 255, 255]);
  };
  const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const light = (colour) => {
    const [red, green, blue] = colour.map((part) => linear(part / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const low = [];
  for (const element of document.body.querySelectorAll("*")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || !element.checkVisibility() || element.disabled) continue;
    const ground = behind(element);
    const own_light = light(over(parse(getComputedStyle(element).color), ground));
    const [more, less] = [own_light, light(ground)].sort((a, b) => b - a);
    const ratio = (more + 0.05) / (less + 0.05);
    const words = element.textContent.trim().slice(0, 40);
    if (ratio < 4.5) low.push(`${element.tagName}.${element.className} ${ratio.toFixed(2)} ${words}`);
  }
  return low;
}"""

CONTROLS_WITHOUT_A_NAME = """() => [...document.querySelectorAll("button, a, input, select, textarea")]
  .filter((control) => control.checkVisibility() && !control.textContent.trim())
  .filter((control) => !control.ariaLabel && !control.labels?.length)
  .map((control) => control.outerHTML)"""

HEADING_LEVELS = """() => [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")]
  .filter((heading) => heading.checkVisibility())
  .map((heading) => Number(heading.tagName[1]))"""

EVENT_ATTRIBUTES = """() => [...document.querySelectorAll("*")]
  .flatMap((element) => [...element.attributes])
  .filter((attribute) => attribute.name.startsWith("on"))
  .map((attribute) => attribute.value)"""
