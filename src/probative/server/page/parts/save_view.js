// Saves what a view shows as a file of its own: HTML that needs no server and no script, or JSON.

const DROPPED = "script, button, input, select, textarea, form, nav, .skip, .actions";

// Save the main part of the page as one HTML file, with the styles of the page inside it.
export async function savePage(name) {
  const main = document.getElementById("main").cloneNode(true);
  main.querySelectorAll("details").forEach((element) => element.setAttribute("open", ""));
  main.querySelectorAll(DROPPED).forEach((element) => element.remove());
  // Links within the page lead nowhere in a file.
  main.querySelectorAll("a[href]").forEach((link) => link.replaceWith(...link.childNodes));
  const { theme } = document.documentElement.dataset;
  const head = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Probative</title>`;
  const page = `<!doctype html>\n<html lang="en"${theme ? ` data-theme="${theme}"` : ""}><head>${head}<style>${await styles()}</style></head><body>${main.outerHTML}</body></html>\n`;
  save(name, page, "text/html");
}

export function saveJson(name, value) {
  save(name, `${JSON.stringify(value, null, 1)}\n`, "application/json");
}

async function styles() {
  const links = [...document.querySelectorAll('link[rel="stylesheet"]')].filter((link) => link.media !== "not all");
  const texts = await Promise.all(links.map(async (link) => (await fetch(link.href)).text()));
  return texts.join("\n");
}

function save(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
