// Groups and connections drawn with Cytoscape on a canvas: names are drawn as text and never become markup.
import { html, useEffect, useRef, useState } from "../../preact.js";
import cytoscape from "../../vendor/cytoscape.js";
import { kindOf } from "./connections.js";
import { clustersOf, endsOf, labelPlaces, place, shortened } from "./layout.js";

// With more lines a drawing cannot be read; the table has them all.
const MAX_LINES = 60;
// With more lines, only those that decided the answer, or that are chosen, have a label.
const MAX_LABELS = { wide: 20, narrow: 6 };
const NARROW = 560;

// Drawing of `groups` and the visible `connections`. `selected` is the id of a connection, or null;
// `onSelect(id | null)` is called when a line is chosen.
export function Drawing({ groups, connections, visible, selected, onSelect }) {
  const box = useRef(null);
  const cy = useRef(null);
  const [left, setLeft] = useState({ lines: 0, entities: 0 });
  useEffect(() => {
    const drawn = open(box.current, groups, connections, onSelect);
    cy.current = drawn.cy;
    setLeft(drawn.left);
    const recolour = () => drawn.cy.style(styleOf(box.current));
    const system = matchMedia("(prefers-color-scheme: dark)");
    addEventListener("probative:theme", recolour);
    system.addEventListener("change", recolour);
    const resized = new ResizeObserver(() => (drawn.cy.resize(), fit(drawn.cy)));
    resized.observe(box.current);
    return () => {
      removeEventListener("probative:theme", recolour);
      system.removeEventListener("change", recolour);
      resized.disconnect();
      drawn.cy.destroy();
    };
  }, [groups, connections]);
  useEffect(() => show(cy.current, visible, selected), [groups, connections, visible, selected]);
  const zoom = (factor) => {
    const { current } = cy;
    current.zoom({ level: current.zoom() * factor, renderedPosition: { x: current.width() / 2, y: current.height() / 2 } });
  };
  const shown = connections.filter((one) => visible.has(one.kind)).length;
  return html`
    <figure class="drawing">
      <div class="drawing-tools" role="group" aria-label="Size of the drawing">
        <button type="button" class="button small" onClick=${() => zoom(1.25)} aria-label="Larger">+</button>
        <button type="button" class="button small" onClick=${() => zoom(0.8)} aria-label="Smaller">−</button>
        <button type="button" class="button small" onClick=${() => fit(cy.current)}>Show all</button>
      </div>
      <div class="drawing-canvas" ref=${box} role="img"
        aria-label=${`Drawing of ${groups.length} groups of entities and ${shown} connections. The table of connections has the same.`}></div>
      ${left.lines || left.entities ? html`<figcaption class="muted">
        ${[left.lines && `${left.lines} more connections`, left.entities && `${left.entities} more entities`].filter(Boolean).join(" and ")}
        ${" "}are not drawn; the table has all connections.</figcaption>` : null}
    </figure>`;
}

function open(container, groups, connections, onSelect) {
  const { clusters, left } = clustersOf(groups, connections);
  place(clusters, { narrow: container.clientWidth < NARROW });
  const { edges, undrawn } = edgesOf(connections, clusters);
  const coarse = matchMedia("(pointer: coarse)").matches;
  const cy = cytoscape({
    container,
    elements: [...nodesOf(clusters), ...edges],
    style: styleOf(container),
    layout: { name: "preset" },
    // The wheel scrolls the page; the buttons change the size. On a touch screen a finger scrolls, too.
    userZoomingEnabled: false,
    userPanningEnabled: !coarse,
    autoungrabify: coarse,
    boxSelectionEnabled: false,
    minZoom: 0.2,
    maxZoom: 3,
  });
  cy.on("tap", "edge", (event) => onSelect(event.target.id()));
  cy.on("tap", (event) => event.target === cy && onSelect(null));
  fit(cy);
  return { cy, left: { lines: undrawn, entities: left } };
}

function nodesOf(clusters) {
  return clusters.flatMap((cluster) => [
    ...(cluster.framed ? [{ group: "nodes", data: { id: cluster.id, label: cluster.label }, classes: cluster.intermediate ? "group intermediate" : "group", selectable: false }] : []),
    ...cluster.spots.map((spot) => ({
      group: "nodes",
      data: { id: spot.id, label: spot.label, width: spot.width, height: spot.height, ...(cluster.framed ? { parent: cluster.id } : {}) },
      position: { x: spot.x, y: spot.y },
      classes: ["entity", spot.own ? "own" : "", cluster.intermediate ? "between" : "", cluster.framed ? "" : "alone"].join(" "),
      selectable: false,
    })),
  ]);
}

// The lines that can be drawn, the most telling kinds first, and the number of the others.
function edgesOf(connections, clusters) {
  const lines = connections.flatMap((connection) => {
    const ends = endsOf(connection, clusters);
    const sign = connection.kind === "expert" ? "" : `${kindOf(connection.kind).sign} `;
    return ends ? [{ ...ends, connection, label: sign + shortened(connection.relation, 26) }] : [];
  }).slice(0, MAX_LINES);
  const places = labelPlaces(lines, clusters);
  const edges = lines.map(({ head, tail, inside, connection, label }, at) => ({
    group: "edges",
    data: { id: connection.id, source: head.id, target: tail.id, label, offset: places[at], kind: connection.kind },
    classes: [connection.kind, connection.deciding ? "deciding" : "", connection.similar ? "similar" : "", inside ? "inside" : "", inside && bendsRight(head, tail) ? "right" : ""].join(" "),
    selectable: false,
  }));
  return { edges, undrawn: connections.length - edges.length };
}

// A line inside a group on the right bends to the right, away from the other groups.
const bendsRight = (head, tail) => (head.x > 0) === (tail.y > head.y);

function show(cy, visible, selected) {
  if (!cy) return;
  cy.batch(() => {
    const shown = cy.edges().filter((edge) => visible.has(edge.data("kind")));
    cy.edges().addClass("off").removeClass("labelled chosen faded");
    shown.removeClass("off");
    (shown.length <= MAX_LABELS[cy.container().clientWidth < NARROW ? "narrow" : "wide"] ? shown : shown.filter(".deciding")).addClass("labelled");
    cy.nodes(".entity").removeClass("faded");
    const chosen = selected ? cy.getElementById(selected) : null;
    if (!chosen?.length || chosen.hasClass("off")) return;
    chosen.addClass("chosen labelled");
    shown.not(chosen).addClass("faded");
    cy.nodes(".entity").not(chosen.connectedNodes()).addClass("faded");
  });
}

function fit(cy) {
  cy.fit(undefined, 24);
  // A small drawing is not blown up.
  if (cy.zoom() > 1.15) {
    cy.zoom(1.15);
    cy.center();
  }
}

// The style of the drawing, in the colours of the page.
function styleOf(container) {
  const computed = getComputedStyle(container);
  const colour = (name) => computed.getPropertyValue(name).trim();
  const edge = { "line-color": colour("--drawing-expert"), "target-arrow-color": colour("--drawing-expert") };
  const coloured = (name) => ({ "line-color": colour(name), "target-arrow-color": colour(name), color: colour(name) });
  return [
    { selector: "node.entity", style: {
      shape: "round-rectangle", width: "data(width)", height: "data(height)", label: "data(label)",
      "text-valign": "center", "text-halign": "center", "text-wrap": "wrap", "text-max-width": 150, "text-overflow-wrap": "anywhere",
      "font-family": computed.fontFamily, "font-size": 14, color: colour("--drawing-text"),
      "background-color": colour("--drawing-node"), "border-width": 1, "border-color": colour("--drawing-border") } },
    { selector: "node.own", style: { "background-color": colour("--drawing-own"), "border-color": colour("--drawing-own"), color: colour("--drawing-own-text"), "font-weight": 600 } },
    { selector: "node.own.between", style: { "background-color": colour("--drawing-node"), "border-color": colour("--drawing-own"), "border-width": 2, color: colour("--drawing-text") } },
    { selector: "node.alone", style: { "border-style": "dashed" } },
    { selector: "node.group", style: {
      shape: "round-rectangle", label: "data(label)", "text-valign": "top", "text-margin-y": -4, "font-family": computed.fontFamily, "font-size": 12,
      color: colour("--drawing-faint"), "background-color": colour("--drawing-group"), "background-opacity": 1, "border-width": 1, "border-color": colour("--drawing-border"), padding: 14 } },
    { selector: "node.intermediate", style: { "border-style": "dashed" } },
    { selector: "edge", style: {
      ...edge, width: 1.75, "curve-style": "bezier", "control-point-step-size": 46, "target-arrow-shape": "triangle", "arrow-scale": 1.1,
      "font-family": computed.fontFamily, "font-size": 12, "text-background-color": colour("--drawing-paper"), "text-background-opacity": 1, "text-background-padding": 3, "text-background-shape": "roundrectangle" } },
    { selector: "edge.expert", style: coloured("--drawing-expert") },
    { selector: "edge.affirmative", style: { ...coloured("--drawing-affirmative"), "line-style": "dashed", "line-dash-pattern": [8, 5] } },
    { selector: "edge.counterfactual", style: { ...coloured("--drawing-counterfactual"), "line-style": "dotted", "target-arrow-shape": "tee" } },
    { selector: "edge.uncertain", style: { ...coloured("--drawing-uncertain"), width: 1, "target-arrow-shape": "vee" } },
    { selector: "edge.inside", style: { "curve-style": "unbundled-bezier", "control-point-distances": [70], "control-point-weights": [0.5] } },
    { selector: "edge.inside.right", style: { "control-point-distances": [-70] } },
    { selector: "edge.similar", style: { "target-arrow-shape": "none", "control-point-distances": [120] } },
    { selector: "edge.similar.right", style: { "control-point-distances": [-120] } },
    { selector: "edge.deciding", style: { width: 3.5, "font-weight": 600, "z-index": 5 } },
    { selector: "edge.labelled", style: { "source-label": "data(label)", "source-text-offset": "data(offset)" } },
    { selector: "edge.labelled.inside", style: { "source-label": "", label: "data(label)" } },
    { selector: "edge.off", style: { display: "none" } },
    { selector: ".faded", style: { opacity: 0.28 } },
    { selector: "edge.chosen", style: { width: 4.5, "z-index": 9 } },
  ];
}
