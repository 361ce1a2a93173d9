// The shell: header, navigation, theme, token, and the view that the address names.
import { download, get, token } from "./api.js";
import { Announcer } from "./parts/announce.js";
import { Button } from "./parts/button.js";
import { ErrorBox } from "./parts/error_box.js";
import { Field } from "./parts/field.js";
import { focusHeading, keepFocus } from "./parts/keep_focus.js";
import { html, render, useCallback, useEffect, useRef, useState } from "./preact.js";
import { href, useRoute, VIEWS } from "./router.js";

const THEMES = ["auto", "light", "dark"];

function App() {
  const route = routeOf(useRoute());
  const [info, setInfo] = useState(null);
  const [error, setError] = useState(null);
  const [asked, setAsked] = useState(null);
  const load = useCallback(() => get("/api/info").then((found) => (setInfo(found), setError(null)), setError), []);
  useEffect(() => {
    const ask = () => {
      setAsked({ again: Boolean(token.get()) });
      token.clear();
    };
    addEventListener("probative:token", ask);
    addEventListener("probative:corpora", load);
    load();
    return () => {
      removeEventListener("probative:token", ask);
      removeEventListener("probative:corpora", load);
    };
  }, []);
  const main = useRef(null);
  useEffect(() => keepFocus(main.current), []);
  const enter = (value) => {
    token.set(value);
    setAsked(null);
    load();
  };
  const content = asked ? html`<${TokenForm} onEnter=${enter} again=${asked.again} />`
    : error ? html`<${ErrorBox} error=${error} onRetry=${load} />`
    : info ? html`<${View} route=${route} info=${info} key=${route.view} />`
    : html`<p class="muted" role="status">Loading…</p>`;
  return html`
    <a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
    <${Header} route=${route} />
    <main id="main" tabindex="-1" ref=${main}>${content}</main>
    <${Announcer} />
    <${Footer} info=${info} />`;
}

// "#/runs/RUN" shows the trace of a run.
function routeOf(route) {
  return route.view === "runs" && route.params.length ? { ...route, view: "trace" } : route;
}

function skip(event) {
  event.preventDefault();
  document.getElementById("main").focus();
}

function Header({ route }) {
  const current = VIEWS[route.view]?.entry ?? route.view;
  const entries = Object.entries(VIEWS).filter(([, view]) => !view.entry);
  return html`
    <header class="top">
      <a class="brand" href=${href("ask")}><img src="static/icon.svg" alt="" width="28" height="28" />Probative</a>
      <nav aria-label="Views">
        <ul>${entries.map(([name, view]) => html`
          <li key=${name}><a href=${href(name)} aria-current=${name === current ? "page" : null}>${view.title}</a></li>`)}
        </ul>
      </nav>
      <${ThemeSwitch} />
    </header>`;
}

function ThemeSwitch() {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme ?? "auto");
  const change = (event) => {
    const chosen = event.currentTarget.value;
    setTheme(chosen);
    if (chosen === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = chosen;
    try {
      localStorage.setItem("probative-theme", chosen);
    } catch {
      // Storage may be forbidden; the choice then lasts until the page is closed.
    }
    dispatchEvent(new Event("probative:theme"));
  };
  return html`<label class="theme"><span>Theme</span>
    <select value=${theme} onChange=${change}>
      ${THEMES.map((name) => html`<option key=${name} value=${name}>${name[0].toUpperCase() + name.slice(1)}</option>`)}
    </select></label>`;
}

function Footer({ info }) {
  return html`<footer class="bottom">
    <span>Probative ${info?.version ?? ""}${info ? ` · model: ${info.model}` : ""}</span>
    ${info && html`<a href="openapi.json" onClick=${openDescription}>API description</a>`}
  </footer>`;
}

// A link cannot send the token: where there is one, the description is fetched and saved as a file.
function openDescription(event) {
  if (!token.get()) return;
  event.preventDefault();
  download("/openapi.json", "openapi.json").catch(() => null); // After a 401 the page asks for the token.
}

function TokenForm({ onEnter, again }) {
  const [value, setValue] = useState("");
  const submit = (event) => {
    event.preventDefault();
    if (value.trim()) onEnter(value.trim());
  };
  return html`<form class="panel narrow" onSubmit=${submit}>
    <h1>Token</h1>
    <p>This server asks for a token. The person who started it has it.</p>
    <${Field} label="Token" error=${again ? "This token is not the right one." : null}>${(id, described) => html`
      <input id=${id} aria-describedby=${described} type="password" autocomplete="off" value=${value} onInput=${(event) => setValue(event.currentTarget.value)} />`}
    <//>
    <${Button} kind="primary" type="submit">Open<//>
  </form>`;
}

// Two views may use one class for different things: the style sheets of other views do not apply.
function applyStyles(view) {
  for (const sheet of document.querySelectorAll("link[data-views]")) {
    sheet.media = sheet.dataset.views.split(" ").includes(view) ? "all" : "not all";
  }
}

// The view that was shown last: when another follows, the keyboard's focus goes to its heading.
let shown = null;

// A view gets {params, query, info} and writes one h1.
function View({ route, info }) {
  const known = Object.hasOwn(VIEWS, route.view) ? VIEWS[route.view] : null;
  const [loaded, setLoaded] = useState(null);
  const [error, setError] = useState(null);
  const follows = useRef(shown !== null && shown !== route.view);
  useEffect(() => {
    shown = route.view;
    if (!known) return;
    document.title = `${known.title} · Probative`;
    applyStyles(route.view);
    import(`./views/${route.view}.js`).then((module) => setLoaded(() => module.default), setError);
  }, [route.view]);
  useEffect(() => {
    if (!follows.current || (known && !loaded)) return;
    follows.current = false;
    focusHeading(document.getElementById("main"));
    scrollTo(0, 0);
  }, [loaded]);
  if (!known) return html`<h1>No such page</h1><p><a href=${href("ask")}>Go to Ask</a></p>`;
  if (error) return html`<${ErrorBox} error=${error} />`;
  if (!loaded) return html`<p class="muted" role="status">Loading…</p>`;
  return html`<${loaded} params=${route.params} query=${route.query} info=${info} />`;
}

render(html`<${App} />`, document.getElementById("app"));
