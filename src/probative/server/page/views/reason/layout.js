// Where the groups and entities of a drawing stand. Nothing is random: the same answer gives the same drawing.
import { plain } from "./connections.js";

const MAX_ALONE = 14;
const MAX_NAME = 48;
const LINE_HEIGHT = 17;
const NAME_WIDTH = 150;
const LETTER_WIDTH = 7.4;
const GAP = 26;

// The groups as {id, label, intermediate, framed, spots: [{id, name, label, own, width, height, x, y}]}: those
// of the answer, then entities of connections that belong to no group, each alone. `left` counts the entities
// that are left out.
export function clustersOf(groups, connections) {
  const ordered = [...groups.filter((group) => group.intermediate), ...groups.filter((group) => !group.intermediate)];
  const clusters = ordered.filter((group) => group.members.length).map((group, at) => ({
    id: `group-${at}`,
    label: group.intermediate ? "on the way" : "asked about",
    intermediate: group.intermediate,
    framed: true,
    spots: group.members.map((member, place) => spot(`group-${at}-${place}`, member.name, place === 0)),
  }));
  const named = new Set(clusters.flatMap((cluster) => cluster.spots.map((one) => plain(one.name))));
  const alone = new Map();
  for (const { head, tail } of connections) {
    for (const name of [head, tail]) if (!named.has(plain(name))) alone.set(plain(name), name);
  }
  const names = [...alone.values()];
  names.slice(0, MAX_ALONE).forEach((name, at) => {
    clusters.push({ id: `alone-${at}`, label: "", intermediate: false, framed: false, spots: [spot(`alone-${at}-0`, name, false)] });
  });
  return { clusters, left: Math.max(0, names.length - MAX_ALONE) };
}

function spot(id, name, own) {
  const label = shortened(name, MAX_NAME);
  const lines = linesOf(label);
  const width = Math.min(NAME_WIDTH, Math.max(...lines.map((line) => line * LETTER_WIDTH))) + 24;
  return { id, name, label, own, width: Math.max(64, width), height: 16 + LINE_HEIGHT * lines.length, x: 0, y: 0 };
}

// shortened("location of", 8) === "locatio…"
export function shortened(text, width) {
  const letters = [...text];
  return letters.length <= width ? text : `${letters.slice(0, width - 1).join("").trimEnd()}…`;
}

// The lengths of the lines into which a label is broken.
function linesOf(label) {
  const fit = Math.floor(NAME_WIDTH / LETTER_WIDTH);
  const lines = [0];
  for (const word of label.split(/\s+/u)) {
    let length = [...word].length;
    const last = lines.length - 1;
    if (lines[last] && lines[last] + 1 + length <= fit) {
      lines[last] += 1 + length;
      continue;
    }
    if (lines[last]) lines.push(0);
    for (; length > fit; length -= fit) lines.splice(lines.length - 1, 1, fit, 0);
    lines[lines.length - 1] = length;
  }
  return lines;
}

// Set x and y of every spot: the groups on an ellipse around the middle, upright if the room is narrow.
export function place(clusters, { narrow }) {
  const sizes = clusters.map(sizeOf);
  const count = clusters.length;
  const angles = anglesOf(clusters);
  const [wide, tall] = narrow ? [0.72, 1.25] : [1.5, 0.95];
  let centres = [{ x: 0, y: 0 }];
  for (let radius = 120; count > 1; radius *= 1.07) {
    centres = angles.map((angle) => ({ x: wide * radius * Math.cos(angle), y: tall * radius * Math.sin(angle) }));
    if (!meet(centres, sizes, narrow ? [64, 96] : [96, 72])) break;
  }
  clusters.forEach((cluster, at) => {
    let y = centres[at].y - sizes[at].height / 2;
    for (const one of cluster.spots) {
      one.x = centres[at].x;
      one.y = y + one.height / 2;
      y += one.height + GAP;
    }
  });
}

// The angles of the groups, in radians; 0 is on the right, and a negative one is above the middle. Of two groups
// that the question names, one is on the left and one on the right, those on the way stand above, and entities
// alone below. Otherwise all stand around the middle.
export function anglesOf(clusters) {
  const asked = clusters.filter((cluster) => cluster.framed && !cluster.intermediate);
  if (asked.length !== 2) return clusters.map((_, at) => -Math.PI / 2 - (2 * Math.PI * at) / clusters.length);
  const above = clusters.filter((cluster) => cluster.intermediate);
  const below = clusters.filter((cluster) => !cluster.framed);
  const between = (list, cluster) => (Math.PI * (list.indexOf(cluster) + 1)) / (list.length + 1);
  return clusters.map((cluster) => {
    if (cluster.intermediate) return -Math.PI + between(above, cluster);
    return cluster.framed ? (cluster === asked[0] ? Math.PI : 0) : Math.PI - between(below, cluster);
  });
}

function sizeOf({ spots }) {
  const height = spots.reduce((sum, one) => sum + one.height, 0) + GAP * (spots.length - 1);
  return { width: Math.max(...spots.map((one) => one.width)), height };
}

function meet(centres, sizes, [across, down]) {
  return centres.some((centre, a) => centres.some((other, b) => b < a
    && Math.abs(centre.x - other.x) < (sizes[a].width + sizes[b].width) / 2 + across
    && Math.abs(centre.y - other.y) < (sizes[a].height + sizes[b].height) / 2 + down));
}

// The spots between which a connection is drawn, or null. If an entity is in several groups, two groups are
// preferred, and there the groups' own entities.
export function endsOf(connection, clusters) {
  const places = (name) => clusters.flatMap((cluster) => cluster.spots
    .filter((one) => plain(one.name) === plain(name)).map((one) => ({ cluster, spot: one })));
  let best = null;
  for (const head of places(connection.head)) {
    for (const tail of places(connection.tail)) {
      const inside = head.cluster === tail.cluster;
      const rank = (head.spot === tail.spot ? 4 : inside ? 2 : 0) + (head.spot.own ? 0 : 0.5) + (tail.spot.own ? 0 : 0.5);
      if (!best || rank < best.rank) best = { rank, head: head.spot, tail: tail.spot, inside };
    }
  }
  return best;
}

// Where along its line each label stands, in the units of the drawing from the line's beginning: the first of
// some places where it covers no entity, no name of a group and no other label. `lines` are {head, tail, label}, head and tail spots.
export function labelPlaces(lines, clusters) {
  const taken = clusters.flatMap((cluster) => [...cluster.spots.map((spot) => boxAt(spot.x, spot.y, spot.width, spot.height)), ...(cluster.framed ? [nameBox(cluster)] : [])]);
  return lines.map(({ head, tail, label }) => {
    const width = [...label].length * LABEL_WIDTH + 8;
    const [start, end] = [border(head, tail), border(tail, head)];
    const boxes = ALONG.map((share) => ({ share, box: boxAt(start.x + share * (end.x - start.x), start.y + share * (end.y - start.y), width, 18) }));
    const free = boxes.find(({ box }) => !taken.some((other) => overlap(box, other))) ?? boxes[0];
    taken.push(free.box);
    return free.share * Math.hypot(end.x - start.x, end.y - start.y);
  });
}

// The place of a group's name: above its frame.
function nameBox({ label, spots: [first] }) {
  return boxAt(first.x, first.y - first.height / 2 - FRAME - 12, [...label].length * LABEL_WIDTH, 18);
}

const FRAME = 14;
const ALONG = [0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78];
const LABEL_WIDTH = 6.6;
const boxAt = (x, y, width, height) => ({ left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 });
const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

// The point where the line between two spots leaves the first.
function border(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const share = Math.min(1, from.width / 2 / Math.abs(dx || 1e-9), from.height / 2 / Math.abs(dy || 1e-9));
  return { x: from.x + dx * share, y: from.y + dy * share };
}
