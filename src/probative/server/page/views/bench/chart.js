// Plots of a bench report as SVG: lines, bars, points, and a reliability diagram. The figures of each are in a
// table below it.
import { html } from "../../preact.js";
import { number } from "./figures.js";

const WIDTH = 640;
const HEIGHT = 340;
const LEFT = 58;
const RIGHT = 14;
const TOP = 12;
const BOTTOM = 44;
const MARKS = ["circle", "square", "triangle", "diamond"];

export function Chart({ plot }) {
  const series = plot.series.filter((one) => one.points.length);
  const names = [...new Set(plot.series.map((one) => one.name))];
  const styled = series.map((one) => ({ ...one, number: names.indexOf(one.name) }));
  return html`<figure class="chart">
    <h3>${plot.title}</h3>
    ${series.length ? html`<${Picture} plot=${plot} series=${styled} />` : html`<p class="muted">No figures to draw.</p>`}
    ${series.length > 1 && html`<ul class="chart-legend">${styled.map((one, index) => html`<li key=${index}><${Sample} one=${one} kind=${plot.kind} />${label(one)}</li>`)}</ul>`}
    ${series.length > 0 && html`<details><summary>The figures of this plot</summary><${Points} plot=${plot} series=${styled} /></details>`}
  </figure>`;
}

const label = (one) => (one.published ? `${one.name} (published)` : one.name);
const tone = (one) => `series s${one.number % 6} ${one.published ? "published" : ""}`;

function Picture({ plot, series }) {
  const scale = scaleOf(plot, series);
  return html`<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${`${plot.title}: ${plot.y} by ${plot.x}. The figures are in the table below.`}>
    ${scale.yTicks.map((value) => html`<g key=${`y${value}`} class="tick"><line x1=${LEFT} x2=${WIDTH - RIGHT} y1=${scale.y(value)} y2=${scale.y(value)} />
      <text x=${LEFT - 8} y=${scale.y(value) + 4} text-anchor="end">${short(value)}</text></g>`)}
    ${scale.xTicks.map(({ value, text }) => html`<text key=${`x${value}`} class="tick-name" x=${scale.x(value)} y=${HEIGHT - BOTTOM + 18} text-anchor="middle">${text}</text>`)}
    <text class="axis" x=${(LEFT + WIDTH - RIGHT) / 2} y=${HEIGHT - 6} text-anchor="middle">${plot.x}</text>
    <text class="axis" transform="translate(13 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${plot.y}</text>
    ${plot.kind === "reliability" && html`<line class="diagonal" x1=${scale.x(0)} y1=${scale.y(0)} x2=${scale.x(1)} y2=${scale.y(1)} />`}
    ${series.map((one, index) => html`<g key=${index} class=${tone(one)}>${plot.kind === "bars" ? bars(one, index, series.length, scale) : line(one, plot.kind, scale)}</g>`)}
  </svg>`;
}

function line(one, kind, { x, y }) {
  const points = one.points.map(([px, py]) => [x(px), y(py)]);
  const marked = kind === "scatter" || points.length <= 30;
  return html`${kind !== "scatter" && html`<polyline points=${points.map((point) => point.join(",")).join(" ")} />`}
    ${marked && points.map(([px, py], index) => html`<${Mark} key=${index} x=${px} y=${py} shape=${MARKS[one.number % MARKS.length]} />`)}`;
}

function bars(one, index, count, { x, y, step }) {
  const width = (0.8 * step) / count;
  const base = y(0);
  return one.points.map(([px, py]) => {
    const left = x(px) - 0.4 * step + index * width;
    const top = Math.min(y(py), base);
    return html`<rect key=${px} x=${left} y=${top} width=${Math.max(1, width - 1)} height=${Math.max(1, Math.abs(base - y(py)))} />`;
  });
}

function Mark({ x, y, shape }) {
  if (shape === "circle") return html`<circle cx=${x} cy=${y} r="4" />`;
  const path = { square: "M-3.5-3.5h7v7h-7z", triangle: "M0-4.5 4.5 4h-9z", diamond: "M0-5 5 0 0 5-5 0z" }[shape];
  return html`<path d=${path} transform="translate(${x} ${y})" />`;
}

function Sample({ one, kind }) {
  return html`<svg class="sample" width="30" height="14" viewBox="0 0 30 14" aria-hidden="true" focusable="false"><g class=${tone(one)}>
    ${kind === "bars" ? html`<rect x="6" y="1" width="18" height="12" />` : html`${kind !== "scatter" && html`<polyline points="0,7 30,7" />`}<${Mark} x="15" y="7" shape=${MARKS[one.number % MARKS.length]} />`}
  </g></svg>`;
}

// The scales of both axes, and their ticks.
function scaleOf(plot, series) {
  const points = series.flatMap((one) => one.points);
  const named = plot.ticks.length > 0;
  const unit = plot.kind === "reliability";
  const [left, right] = unit ? [0, 1] : named ? [-0.5, plot.ticks.length - 0.5] : padded(points.map(([x]) => x), plot.kind === "bars");
  const yTicks = unit ? [0, 0.2, 0.4, 0.6, 0.8, 1] : niceTicks(points.map(([, y]) => y), plot.kind === "bars");
  const [low, high] = [yTicks[0], yTicks.at(-1)];
  const x = (value) => LEFT + ((value - left) / (right - left)) * (WIDTH - LEFT - RIGHT);
  const y = (value) => HEIGHT - BOTTOM - ((value - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const room = named ? Math.max(4, Math.floor((WIDTH - LEFT) / plot.ticks.length / 6.6)) : 0;
  const xTicks = named ? plot.ticks.map((text, value) => ({ value, text: text.length > room ? `${text.slice(0, room - 1)}…` : text })) : numberTicks(points.map(([px]) => px), unit);
  return { x, y, xTicks, yTicks, step: x(1) - x(0) };
}

function padded(values, bars) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const margin = bars ? 0.6 : (high - low || 1) * 0.04;
  return [low - margin, high + margin];
}

// Round values that enclose all figures; bars begin at 0.
export function niceTicks(values, bars) {
  let [low, high] = [Math.min(...values), Math.max(...values)];
  if (bars) [low, high] = [Math.min(0, low), Math.max(0, high)];
  if (low === high) [low, high] = [low - (Math.abs(low) * 0.1 || 1), high + (Math.abs(high) * 0.1 || 1)];
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(10)));
}

function numberTicks(values, unit) {
  if (unit) return [0, 0.2, 0.4, 0.6, 0.8, 1].map((value) => ({ value, text: short(value) }));
  const own = [...new Set(values)].sort((a, b) => a - b);
  // Values that are nearer to each other than their names are wide get round ticks.
  const crowded = own.some((value, at) => at > 0 && value - own[at - 1] < 0.06 * (own.at(-1) - own[0]));
  const ticks = own.length <= 10 && !crowded ? own : niceTicks(values, false).filter((value) => value >= own[0] && value <= own.at(-1));
  return ticks.map((value) => ({ value, text: short(value) }));
}

const short = (value) => value.toLocaleString("en", { maximumFractionDigits: 3 });

// The figures of a plot; of very many points, about twenty of each series.
function Points({ plot, series }) {
  const digits = series.every((one) => one.points.every(([, y]) => Math.abs(y) <= 1)) ? 3 : 1;
  const rows = series.flatMap((one) => {
    const every = Math.max(1, Math.floor(one.points.length / 20));
    return one.points.filter((_, at) => at % every === 0).map(([x, y]) => [label(one), plot.ticks[x] ?? short(x), number(y, digits)]);
  });
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label=${`Figures: ${plot.title}`}><table>
    <thead><tr><th scope="col">Series</th><th scope="col">${plot.x}</th><th scope="col" class="number">${plot.y}</th></tr></thead>
    <tbody>${rows.map((row, index) => html`<tr key=${index}><td>${row[0]}</td><td>${row[1]}</td><td class="number">${row[2]}</td></tr>`)}</tbody>
  </table></div>`;
}
