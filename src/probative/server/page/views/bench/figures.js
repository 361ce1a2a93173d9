// Figures of bench reports as text: the same digits as the reports of the command line.

const MISSING = "–";

// A figure with `digits` decimals; from 1,000 on, with none.
export function number(value, digits = 1) {
  return Math.abs(value) >= 1000
    ? Math.round(value).toLocaleString("en")
    : value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

// 3 decimals for a column of shares or p-values, 1 for others. A column of zeros follows the other columns.
export function columnDigits(table, at) {
  let values = figures(table, at);
  if (values.length && !values.some(Boolean)) values = table.columns.flatMap((_, other) => figures(table, other));
  return values.some(Boolean) && values.every((value) => Math.abs(value) <= 1) ? 3 : 1;
}

const figures = (table, at) => table.rows.map((row) => row.cells[at]).filter((cell) => typeof cell === "object" && cell !== null)
  .flatMap((cell) => [cell.value, cell.published]).filter((value) => value !== null);

// A cell in parts: {value, interval, published, difference, n}; a text stands as it is.
export function cellParts(cell, digits) {
  if (typeof cell === "string") return { value: cell };
  const known = cell.value !== null;
  const comparable = known && cell.published !== null && cell.comparable && !(cell.n !== null && cell.n < 10);
  const difference = comparable ? cell.value - cell.published : null;
  return {
    value: known ? number(cell.value, digits) : MISSING,
    interval: cell.low !== null && cell.high !== null ? `${number(cell.low, digits)} to ${number(cell.high, digits)}` : null,
    published: cell.published !== null ? number(cell.published, digits) : null,
    difference: difference === null ? null : `${difference < 0 ? "−" : "+"}${number(Math.abs(difference), digits)}`,
    n: known ? cell.n : null,
  };
}

// The number of cases behind most cells of a row, or null.
export function usualCount(cells) {
  const counts = new Map();
  for (const cell of cells) {
    if (typeof cell === "object" && cell !== null && cell.n !== null && cell.value !== null) counts.set(cell.n, (counts.get(cell.n) ?? 0) + 1);
  }
  return [...counts].sort(([a, x], [b, y]) => y - x || b - a)[0]?.[0] ?? null;
}

// The difference of the second figure from the first in a row of a comparison, or null.
export function changeOf(row) {
  const [first, second] = row.cells;
  const both = [first, second].every((cell) => typeof cell === "object" && cell !== null && cell.value !== null);
  return both ? second.value - first.value : null;
}
